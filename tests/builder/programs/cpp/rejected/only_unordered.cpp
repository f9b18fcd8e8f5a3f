#include <iostream>
#include <unordered_map>
#include <unordered_set>
int main() {
    int n;
    std::cin >> n;
    std::unordered_map<int, int> count;
    std::unordered_set<int> seen;
    for (int i = 0; i < n; i++) {
        count[i * i % 9]++;
        seen.insert(i * 3 % 20);
    }
    std::cout << count[0] << ' ' << seen.size() << std::endl;
}
