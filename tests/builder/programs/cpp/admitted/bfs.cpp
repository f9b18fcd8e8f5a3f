#include <iostream>
#include <queue>
#include <vector>
using namespace std;

int main() {
    int n;
    cin >> n;
    vector<int> dist(n, -1);
    queue<int> q;
    dist[0] = 0;
    q.push(0);
    while (!q.empty()) {
        int v = q.front();
        q.pop();
        for (int to : {(2 * v + 1) % n, (v + 3) % n}) {
            if (dist[to] >= 0) continue;
            dist[to] = dist[v] + 1;
            q.push(to);
        }
    }
    int far = 0;
    for (int d : dist) far = max(far, d);
    cout << "farthest " << far << ", last " << dist[n - 1] << endl;
}
