#include <iostream>
#include <vector>
int main() {
    int n;
    std::cin >> n;
    std::vector<int> v;
    for (int i = 0; i < n; i++) v.push_back(i * i % 10);
    std::cout << v.size() << " at " << (void*)v.data() << std::endl;
}
