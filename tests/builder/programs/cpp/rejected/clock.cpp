#include <ctime>
#include <iostream>
int main() {
    int n, x = 1;
    std::cin >> n;
    auto t = clock();
    for (int i = 0; i < n; i++) x = x * 3 % 101 + i;
    std::cout << x << ' ' << (clock() - t) * 1000 / CLOCKS_PER_SEC << " ms" << std::endl;
}
