#include <cstdlib>
#include <iostream>
int main() {
    int n, x = 1;
    std::cin >> n;
    for (int i = 0;; i++) {
        x = x * 3 % 101 + i;
        if (i == n) {
            std::cout << x << std::endl;
            exit(0);
        }
    }
}
