#include <iostream>

int main() {
    int n, x = 2;
    std::ios_base::sync_with_stdio(false);
    std::cin.tie(nullptr);
    std::cin >> n;
    for (int i = 0; i < n; i++) {
        std::cout << x << '\n';
        x = x * 5 % 103;
    }
    std::cout << "{\"x\": " << x << "}\n";
}
