#include <iostream>
#include <map>
#include <utility>
#include <vector>
using namespace std;

int main() {
    int m;
    cin >> m;
    map<pair<int, int>, int> weight;
    while (m--) {
        int u, v, w;
        cin >> u >> v >> w;
        weight[{u, v}] = w;
    }
    vector<int> deg(6);
    pair<int, int> best{-1, -1};
    for (auto& [edge, w] : weight) {
        auto [u, v] = edge;
        deg[u] += w;
        deg[v] -= w;
        w = u * 10 + v;
        best = max(best, {deg[u], v});
    }
    for (const auto& [edge, w] : weight) deg[0] ^= w;
    cout << deg[0] << ' ' << deg[5] << ' ' << best.first << ',' << best.second << endl;
}
