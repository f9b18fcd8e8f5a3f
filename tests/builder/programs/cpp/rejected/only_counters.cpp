#include <iostream>
int main() {
    int n, i = 0, evens = 0;
    std::cin >> n;
    while (i < n) {
        i++;
        evens += 2;
    }
    std::cout << evens << ' ' << i << std::endl;
}
