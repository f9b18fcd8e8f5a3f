#include <bits/stdc++.h>
using namespace std;
#define int long long
#define endl '\n'
#define sz(x) (int)(x).size()
#define rep(i, a, b) for (int i = a; i < (b); ++i)
typedef vector<int> vi;

const int N = 1005, MOD = 1e9 + 7;
int n, q, ans;
vi pre, a;

void init() { ans = 0; pre.assign(n + 1, 0); }

void solve() {
    cin >> n;
    a.resize(n);
    for (auto &x : a) cin >> x;
    init();
    rep(i, 0, n) {
        pre[i + 1] = (pre[i] + a[i]) % MOD;
        ans += pre[i + 1] * (sz(a) - i) % 10;
    }
    cout << ans << " " << pre[n] << endl;
}

int32_t main() {
    ios_base::sync_with_stdio(0); cin.tie(0);
    int t = 1;
    // cin >> t;
    while (t--) solve();
}
