#include <iostream>
using namespace std;

int main() {
    int n;
    cin >> n;
    int lo = 0, hi = n, asked = 0, secret = n / 3 * 2 + 1;
    long long log = 1;
    while (hi - lo > 1) {
        int mid = (lo + hi) / 2;
        cout << flush;
        asked++;
        if (mid <= secret) lo = mid;
        else hi = mid;
        log = log * 2 + (mid <= secret);
    }
    cout << "! " << lo << ' ' << log << endl << flush;
    cerr << "done" << endl;
    fflush(stdout);
    return 0;
}
