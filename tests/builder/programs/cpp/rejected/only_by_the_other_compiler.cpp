#include <iostream>
int main() {
    int n, x = 1;
    std::cin >> n;
    int seen[n] = {};
    for (int i = 0; i < n; i++) seen[i] = x = x * 3 % 101 + i;
    std::cout << x << seen[n / 2] << std::endl;
}
