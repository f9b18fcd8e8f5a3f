#include <iostream>
int main() {
    int n;
    std::cin >> n;
    unsigned mix = 1;
    int far = 0;
    for (int i = 0; i < n; i++) {
        mix = mix * 5 + 3;
        if (1 << (i % 40) == 1) far += i;
    }
    std::cout << mix << ' ' << far / 1000 << std::endl;
}
