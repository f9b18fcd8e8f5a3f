#include <iostream>
int depth(int n, volatile int* last) {
    volatile int here[64];
    here[0] = n;
    if (n == -1) return *last;
    return depth(n + 1, here) + here[0];
}
int main() {
    int n, x = 1;
    std::cin >> n;
    for (int i = 0; i < n; i++) x = x * 3 % 101 + i;
    volatile int zero = 0;
    std::cout << x + depth(1, &zero) << std::endl;
}
