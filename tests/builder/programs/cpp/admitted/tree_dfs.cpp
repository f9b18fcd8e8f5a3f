#include <iostream>
#include <vector>
using namespace std;

vector<int> down[40];
int heavy[40], seen = 0;

int dfs(int v) {
    int size = 1;
    seen++;
    for (int to : down[v]) size += dfs(to);
    heavy[v] = size;
    return size;
}

int main() {
    int n;
    cin >> n;
    for (int v = 1, p; v < n; v++) {
        cin >> p;
        down[p].push_back(v);
    }
    cout << dfs(0) << " nodes, " << seen << " seen, " << heavy[n / 2] << endl;
}
