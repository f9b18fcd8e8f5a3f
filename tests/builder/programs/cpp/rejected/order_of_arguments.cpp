#include <iostream>
int seed = 1;
int next() { return seed = seed * 7 % 101; }
int minus(int a, int b) { return 2 * a - b; }
int main() {
    int n, mix = 0;
    std::cin >> n;
    for (int i = 0; i < n; i++) mix = (mix + minus(next(), next()) + 500) % 1009;
    std::cout << mix << std::endl;
}
