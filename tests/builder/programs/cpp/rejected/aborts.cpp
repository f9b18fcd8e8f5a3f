#include <cstdlib>
#include <iostream>
int main() {
    int n, x = 1;
    std::cin >> n;
    for (int i = 0; i < n; i++) x = x * 3 % 101;
    std::cout << x << std::endl;
    if (n > 10) abort();
}
