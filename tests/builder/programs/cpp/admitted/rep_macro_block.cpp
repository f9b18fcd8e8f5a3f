#include <iostream>
#include <vector>
#define rep(i, n) for (int i = 0; i < (n); ++i)
#define each(x, v) for (auto& x : v)
using namespace std;

int main() {
    int n;
    cin >> n;
    vector<int> a(n);
    each(x, a) cin >> x;
    long long inv = 0;
    int last = -1;
    rep(i, n) {
        if (a[i] > last) inv = (inv * 2 + a[i]) % 9973;
        last = a[i];
    }
    cout << inv << endl;
}
