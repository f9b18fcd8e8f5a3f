#include <iostream>
int main() {
    int n, last = -1;
    std::cin >> n;
    for (int i = 0; i < n; i++) {
        if (i == n - 1) last = i * i;
    }
    std::cout << last << std::endl;
}
