#include <iostream>
using namespace std;

void solve() {
    int n;
    cin >> n;
    long long total = 0;
    for (int i = 0; i < n; i++) total += 1LL * i * i;
    cout << total << endl;
}

int main() {
    int t;
    cin >> t;
    while (t--) solve();
    return 0;
}
