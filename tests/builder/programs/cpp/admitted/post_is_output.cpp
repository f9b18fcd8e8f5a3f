#include <iostream>
int main() {
    long long n, fib = 0, next = 1;
    std::cin >> n;
    while (n-- > 0) {
        next += fib;
        fib = next - fib;
    }
    std::cout << fib << std::endl;
}
