#include <iostream>
// for (;;) {}
int main() {
    int n;
    std::cin >> n;
    std::cout << "while (" << n * (n + 1) / 2 << ")" << std::endl;
}
