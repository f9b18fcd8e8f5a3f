#include <iostream>
int main() {
    int n;
    std::cin >> n;
    volatile unsigned x = n;
    while (x != 0) x = x * 5 | 1;
    std::cout << "done " << x << std::endl;
}
