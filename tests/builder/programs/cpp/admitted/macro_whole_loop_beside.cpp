#include <iostream>
#define FILL(a, n) for (int i = 0; i < n; i++) a[i] = (a[i] * 7 + i) % 19
#define SWAP(a, b) do { auto t = a; a = b; b = t; } while (0)
using namespace std;

int v[30];

int main() {
    int n, lo = 1, hi = 0;
    cin >> n;
    FILL(v, n);
    for (int j = 2; j < n; j++) {
        lo += v[j] - v[j - 2];
        if (lo > hi) SWAP(lo, hi);
    }
    cout << lo << ".." << hi << endl;
}
