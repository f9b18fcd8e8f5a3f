#include <iostream>
int main() {
    int n, d = 0, x = 1;
    std::cin >> n >> d;
    for (int i = 0; i < n; i++) x = x * 3 % 101 + i;
    std::cout << x / d << std::endl;
}
