#include <iostream>
#include <map>
#include <vector>

int main() {
    int n;
    std::cin >> n;
    std::map<int, std::vector<int>> groups;
    for (int i = 0; i < n; i++) {
        auto it = groups.find(i * i % 7);
        if (it == groups.end())
            groups[i * i % 7] = {i};
        else if (i % 3)
            it->second.push_back(i);
    }
    for (auto& [rest, members] : groups)
        std::cout << rest << ":" << members.size() << " ";
    std::cout << std::endl;
}
