#include <iostream>
int main() {
    int n, x = 1;
    std::cin >> n;
    int rounds = (n + 3) / 4;
    switch (n % 4) {
        case 0: do { x = x * 3 % 1009;
        case 3:      x += 7;
        case 2:      x ^= 5;
        case 1:      x = x * 2 % 1013;
                } while (--rounds > 0);
    }
    std::cout << x << ' ' << rounds << std::endl;
}
