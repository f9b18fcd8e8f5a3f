#include <iostream>
int main() {
    int n;
    std::cin >> n;
    int fixed = n % 7;
    for (int i = 0; i < n; i++) {
        int x = fixed * i;
        if (x < 0) fixed = x;
    }
    std::cout << fixed * 2 << std::endl;
}
