#include <bits/stdc++.h>
using namespace std;
using ll = long long;
using pli = pair<ll, int>;
const ll INF = 1e9;

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int n;
    cin >> n;
    vector<ll> dist(n, INF);
    priority_queue<pli, vector<pli>, greater<pli>> pq;
    dist[0] = 0;
    pq.emplace(0, 0);
    while (pq.size()) {
        auto [d, v] = pq.top();
        pq.pop();
        if (d > dist[v]) continue;
        for (int to : {(v + 1) % n, (v * 5 + 2) % n}) {
            ll nd = d + 3 + v % 4 * 2;
            if (nd < dist[to]) {
                dist[to] = nd;
                pq.emplace(nd, to);
            }
        }
    }
    cout << accumulate(dist.begin(), dist.end(), 0LL) << '\n';
}
