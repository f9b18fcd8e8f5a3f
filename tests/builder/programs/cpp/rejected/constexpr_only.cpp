#include <iostream>
constexpr int mix(int n) {
    int x = 1;
    for (int i = 0; i < n; i++) x = x * 3 % 101 + i;
    return x;
}
constexpr int table[] = {mix(10), mix(20), mix(30)};
int main() {
    int n;
    std::cin >> n;
    std::cout << table[n % 3] + n << std::endl;
}
