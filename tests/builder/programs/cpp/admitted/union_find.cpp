#include <iostream>
#include <numeric>
#include <vector>
using namespace std;

struct DSU {
    vector<int> parent, size;
    int parts;
    DSU(int n) : parent(n), size(n, 1), parts(n) { iota(parent.begin(), parent.end(), 0); }
    int find(int x) {
        while (parent[x] != x) x = parent[x] = parent[parent[x]];
        return x;
    }
    bool unite(int a, int b) {
        a = find(a), b = find(b);
        if (a == b) return false;
        if (size[a] < size[b]) swap(a, b);
        parent[b] = a;
        size[a] += size[b];
        parts--;
        return true;
    }
};

int main() {
    int n, joined = 0;
    cin >> n;
    DSU dsu(24);
    for (int i = 0; i < n; i++)
        joined += dsu.unite(i * 5 % 24, i * i % 23) * i;
    cout << dsu.parts << " parts, " << joined << endl;
}
