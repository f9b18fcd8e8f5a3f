#include <iostream>
#include <utility>
#include <vector>
#define FOR(i, a, b) for (int i = (a); i < (b); ++i)
#define trav(x, xs) for (const auto& x : xs)
#define F first
#define S second
using namespace std;

int main() {
    int n;
    cin >> n;
    vector<pair<int, int>> xs;
    FOR(i, 0, n) {
        int l, r;
        cin >> l >> r;
        xs.push_back({l, r});
    }
    int cover = 0, reach = 0;
    FOR(turn, 0, 2)
        trav(x, xs)
            if (x.S > reach) cover += x.S - max(reach, x.F), reach = x.S;
    cout << cover << " of " << reach << endl;
}
