#include <iostream>
#include <vector>

std::vector<int> pool;
long long weight;

void grow(std::vector<int>& into, long long& sum, int n) {
    int x = 12;
    for (int i = 0; i < n; i++) {
        x = x * 11 % 79;
        into.push_back(x);
        sum += x;
    }
}

int main() {
    int n;
    std::cin >> n;
    grow(pool, weight, n);
    std::cout << pool.size() << " weigh " << weight << std::endl;
}
