#include <iostream>
#include <random>

int main() {
    int n;
    std::cin >> n;
    std::mt19937 rng(n);
    std::minstd_rand0 other(7);
    unsigned long long mix = 0;
    int high = 0;
    for (int i = 0; i < n; i++) {
        mix = mix * 3 % 1000003 + other() % 100;
        if (rng() >> 31) high++;
        else high += 2;
    }
    std::cout << mix << ' ' << high << std::endl;
}
