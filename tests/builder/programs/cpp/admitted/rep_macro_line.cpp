#include <bits/stdc++.h>
#define rep(i, n) for (int i = 0; i < (int)(n); i++)
#define all(x) (x).begin(), (x).end()
#define pb push_back
using namespace std;
typedef long long ll;

int main() {
    int n;
    cin >> n;
    vector<ll> a;
    rep(i, n) a.pb((ll)i * i % 23);
    sort(all(a));
    ll last = -1, distinct = 0;
    rep(i, n) if (a[i] != last) { distinct++; last = a[i]; }
    cout << distinct << " " << last << endl;
}
