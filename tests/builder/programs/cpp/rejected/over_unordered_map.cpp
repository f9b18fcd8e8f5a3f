#include <iostream>
#include <string>
#include <unordered_map>
using Table = std::unordered_map<std::string, int>;

int weigh(const Table& table) {
    int mix = 0;
    for (const auto& [word, count] : table) mix = mix * 2 + count * (int)word.size();
    return mix;
}

int main() {
    int n;
    std::cin >> n;
    Table table{{"a", n}, {"bb", 2}, {"c", 3}, {"dd", 4}, {"e", 5}, {"ff", 6}, {"g", 7}, {"hh", 8}, {"i", 9}};
    std::cout << weigh(table) << std::endl;
}
