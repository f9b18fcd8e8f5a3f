#include <compare>
#include <iostream>
#include <span>
#include <vector>

struct Version {
    int major, minor;
    auto operator<=>(const Version&) const = default;
};

int main() {
    int n;
    std::cin >> n;
    std::vector<int> xs(n);
    for (int& x : xs) std::cin >> x;
    Version top{.major = 0, .minor = 0};
    int raised = 0;
    for (int i = 0; int x : std::span(xs)) {
        Version v{x % 10, i++};
        if (v > top) top = v, raised += i;
    }
    std::cout << top.major << '.' << top.minor << ' ' << raised << std::endl;
}
