#include <iostream>
int main() {
    int n, x = 1, i = 0;
    std::cin >> n;
    try {
        while (true) {
            x = x * 3 % 101 + i;
            if (++i == n) throw x;
        }
    } catch (int got) {
        std::cout << got << std::endl;
    }
}
