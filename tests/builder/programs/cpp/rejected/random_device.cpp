#include <iostream>
#include <random>
int main() {
    int n, x = 1;
    std::cin >> n;
    std::random_device rd;
    for (int i = 0; i < n; i++) x = x * 3 % 101 + rd() % 5;
    std::cout << x << std::endl;
}
