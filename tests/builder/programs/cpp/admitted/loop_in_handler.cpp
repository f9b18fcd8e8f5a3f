#include <iostream>
#include <vector>

int main() {
    int n;
    std::cin >> n;
    std::vector<int> filled;
    long long sum = 0;
    try {
        for (int i = 0; i < 100; i++) {
            if (i == n) throw filled.size();
            filled.push_back(i % 4);
        }
    } catch (std::size_t size) {
        for (std::size_t i = size; i-- > 0;) {
            sum = sum * 3 % 1013 + filled[i];
            filled.pop_back();
        }
    }
    std::cout << sum << " " << filled.size() << std::endl;
}
