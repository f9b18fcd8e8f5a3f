#include <iostream>
#include <utility>

int main() {
    int n;
    std::cin >> n;
    auto [a, b] = std::make_pair(1L, 2);
    for (int i = 0; i < n; i++) {
        a = (a * b + i) % 1009;
        b = b % 7 + i % 3;
    }
    std::cout << a << ' ' << b << std::endl;
}
