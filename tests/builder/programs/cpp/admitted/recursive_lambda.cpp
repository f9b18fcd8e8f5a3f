#include <functional>
#include <iostream>
#include <numeric>
#include <vector>
using namespace std;

int main() {
    int n;
    cin >> n;
    vector<vector<int>> down(n + 3);
    down[0].resize(n);
    iota(down[0].begin(), down[0].end(), 1);
    down[4] = {n + 1, n + 2};
    vector<int> order;
    long long depths = 0;
    function<void(int, int)> dfs = [&](int v, int depth) {
        order.push_back(v);
        depths += depth;
        for (int to : down[v]) dfs(to, depth + 1);
    };
    dfs(0, 1);
    cout << depths << ":";
    for (int v : order) cout << ' ' << v;
    cout << endl;
}
