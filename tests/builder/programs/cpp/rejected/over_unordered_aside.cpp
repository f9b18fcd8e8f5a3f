#include <iostream>
#include <unordered_map>
int main() {
    int n, mix = 1, total = 0;
    std::cin >> n;
    std::unordered_map<int, int> count;
    for (int i = 0; i < n; i++) {
        mix = mix * 7 % 113;
        count[mix % 10]++;
    }
    for (const auto& [digit, times] : count) total += digit * times;
    std::cout << mix << ' ' << total << std::endl;
}
