#include <array>
#include <iostream>
#include <utility>
#include <vector>
typedef long long ll;
typedef std::pair<int, ll> pil;
using vi = std::vector<int>;
using Grid = std::array<vi, 2>;
template <class T> using Twice = std::pair<T, T>;
constexpr int BASE = 31;
const ll MOD = 998244353;
enum { WIDTH = 5 };

int main() {
    int n;
    std::cin >> n;
    Grid grid;
    pil top = {0, 1};
    Twice<vi> halves;
    auto hash = 7LL;
    for (auto i = 0; i < n; ++i) {
        hash = (hash * BASE + i) % MOD;
        grid[i % 2].push_back(int(hash % WIDTH));
        if (hash > top.second) top = pil(i, hash);
        (hash % 2 ? halves.first : halves.second).push_back(i);
    }
    std::cout << hash << ' ' << top.first << ' ' << grid[1].size() << ' ' << halves.first.size() << '\n';
}
