#include <iostream>
#include <vector>
int main() {
    int n;
    std::cin >> n;
    std::vector<long long> a(n);
    for (int i = 0; i < n; i++) a[i] = 1000000LL * i * i + 1;
    std::cout << a[n / 2] << std::endl;
}
