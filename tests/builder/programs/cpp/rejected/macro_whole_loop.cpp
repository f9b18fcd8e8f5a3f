#include <iostream>
#define MIX(x, n) for (int i = 0; i < n; i++) x = x * 3 % 101 + i
int main() {
    int n, x = 1;
    std::cin >> n;
    MIX(x, n);
    std::cout << x << std::endl;
}
