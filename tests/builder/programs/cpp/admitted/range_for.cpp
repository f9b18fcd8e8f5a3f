#include <iostream>
#include <vector>
using namespace std;

int main() {
    int n;
    cin >> n;
    vector<int> v(n);
    for (auto& x : v) cin >> x;
    int mix = 0, best = -1;
    for (int x : v) {
        mix = (mix * 31 + x) % 1009;
        best = max(best, x);
    }
    cout << mix << " " << best << endl;
}
