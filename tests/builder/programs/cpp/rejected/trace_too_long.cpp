#include <iostream>
int main() {
    int n, x = 1;
    std::cin >> n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 1000; j++) x = x * 3 % 101 + i;
    std::cout << x << std::endl;
}
