#include <iostream>
#define HERE(x) (x) * __LINE__
int main() {
    int n, x = 1;
    std::cin >> n;
    for (int i = 0; i < n; i++) x = HERE(x) % 101 + i;
    std::cout << x << std::endl;
}
