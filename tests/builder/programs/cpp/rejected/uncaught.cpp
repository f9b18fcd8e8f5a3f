#include <iostream>
#include <vector>
int main() {
    int n;
    std::cin >> n;
    std::vector<int> v(20, 3);
    int x = 0;
    for (int i = 0; i < n; i++) x += v.at(i) * i;
    std::cout << x << std::endl;
}
