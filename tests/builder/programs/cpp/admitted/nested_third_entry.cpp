#include <iostream>

static long rows(int n) {
    long total = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < n - 10 + 5 * i; j++)
            total += j;
    }
    return total;
}

int main() {
    int n;
    std::cin >> n;
    std::cout << "0 + " << rows(n) << std::endl;
}
