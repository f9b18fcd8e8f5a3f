#include <cstdint>
#include <iostream>
#include <string>

int main() {
    std::string s;
    std::cin >> s;
    std::uint32_t h = 2166136261u;
    unsigned short low = 65000;
    unsigned n = s.size();
    while (n-- > 0) {
        h = (h ^ static_cast<unsigned char>(s[n])) * 16777619u;
        low = low * 3 + n;
    }
    std::cout << std::hex << h << ' ' << low << ' ' << n << '\n';
}
