#include <cstdlib>
#include <iostream>
#include <string>
int main() {
    int n, x = 1;
    std::cin >> n;
    const char* home = std::getenv("HOME");
    for (int i = 0; i < n; i++) x = x * 3 % 101 + (home != nullptr);
    std::cout << x << std::endl;
}
