#include <cstdlib>
#include <iostream>
int main() {
    int n, x = 1;
    std::cin >> n;
    for (int i = 0; i < n; i++) x = x * 3 % 101 + i;
    std::cout << x << std::endl;
    return system("true") != 0 && n < 0;
}
