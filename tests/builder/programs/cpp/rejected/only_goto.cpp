#include <iostream>
int main() {
    int n, x = 1, i = 0;
    std::cin >> n;
    for (;;) {
        x = x * 3 % 101 + i;
        if (++i == n) goto done;
    }
done:
    std::cout << x << std::endl;
}
