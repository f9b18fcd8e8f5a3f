#include <iostream>

int main() {
    int n;
    std::cin >> n;
    long long total = 0;
    for (int i = 0; i < n; i++) {
        total += 1LL * i * i;
    }
    std::cout << "total " << total << std::endl;
}
