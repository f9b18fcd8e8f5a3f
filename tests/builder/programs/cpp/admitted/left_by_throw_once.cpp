#include <iostream>
#include <stdexcept>

struct Meter {
    int level = 1;
    void feed(int limit, int n) {
        for (int i = 0; i < n; i++) {
            if (i == limit) throw std::runtime_error("full");
            level = (level * 7 + i) % 503;
        }
    }
};

int main() {
    int n;
    std::cin >> n;
    Meter meter;
    try {
        meter.feed(5, n);
    } catch (const std::exception&) {
        meter.level += 1000;
    }
    meter.feed(1000, n);
    std::cout << "level " << meter.level << std::endl;
}
