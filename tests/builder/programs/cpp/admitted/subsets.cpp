#include <iostream>
using namespace std;

int main() {
    int mask;
    cin >> mask;
    long long odd = 0;
    int thin = 0;
    for (int s = mask; s; s = (s - 1) & mask) {
        if (__builtin_popcount(s) & 1) odd = odd * 3 % 100019 + s;
        else thin ^= s & -s;
    }
    cout << odd << ' ' << thin << endl;
}
