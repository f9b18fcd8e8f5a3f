#include <iostream>
int main() {
    long long x;
    int steps = 1;
    std::cin >> x;
    while ((x = x % 2 ? 3 * x + 1 : x / 2) != 1) steps++;
    std::cout << steps << " steps to " << x << std::endl;
}
