#include <iostream>
int a[4][5];
int main() {
    int n, mix = 0;
    std::cin >> n;
    for (int i = 0; i < n; i++) {
        int column = i % 6;
        a[i % 3][column] += i;
        mix = (mix * 2 + a[i % 3][column]) % 997;
    }
    std::cout << mix << std::endl;
}
