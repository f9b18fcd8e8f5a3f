#include <iostream>
int first(int n) {
    int x = 1;
    for (int i = 0;; i++) {
        x = x * 3 % 101 + i;
        if (i == n) return x;
    }
}
int main() {
    int n;
    std::cin >> n;
    std::cout << first(n) << std::endl;
}
