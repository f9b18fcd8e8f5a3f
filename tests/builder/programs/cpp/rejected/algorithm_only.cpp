#include <iostream>
#include <numeric>
#include <vector>
int main() {
    int n;
    std::cin >> n;
    std::vector<int> v(n);
    std::iota(v.begin(), v.end(), 1);
    std::cout << std::accumulate(v.begin(), v.end(), 0, [](int a, int b) { return (a * 3 + b) % 101; }) << "\n";
}
