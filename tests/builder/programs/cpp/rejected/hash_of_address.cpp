#include <functional>
#include <iostream>
int main() {
    int n, mix = 0;
    std::cin >> n;
    for (int i = 0; i < n; i++) mix = mix * 3 % 101 + i;
    std::cout << mix << ' ' << std::hash<int*>()(&n) / 4096 % 100003 << std::endl;
}
