#include <iostream>
#define GRID(i, j, n) for (int i = 0; i < 2; i++) for (int j = 0; j < n; j++)
int main() {
    int n, x = 1;
    std::cin >> n;
    GRID(i, j, n) { x = x * 3 % 101 + i * j; }
    std::cout << x << std::endl;
}
