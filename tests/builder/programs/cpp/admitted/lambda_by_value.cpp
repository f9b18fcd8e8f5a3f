#include <iostream>
#include <vector>

int main() {
    int n;
    std::cin >> n;
    auto next = [seed = 17]() mutable { return seed = seed * 29 % 211; };
    std::vector<int> heap;
    int dropped = 0;
    for (int i = 0; i < n; i++) {
        int x = next();
        while (!heap.empty() && heap.back() > x) { heap.pop_back(); dropped++; }
        heap.push_back(x);
    }
    std::cout << dropped << " dropped, " << heap.size() << " left\n";
}
