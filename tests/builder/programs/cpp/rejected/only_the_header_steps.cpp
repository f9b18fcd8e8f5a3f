#include <iostream>
int main() {
    long long n, x;
    std::cin >> n;
    for (x = n; x != 1; x = x % 2 ? 3 * x + 1 : x / 2);
    std::cout << x + n << std::endl;
}
