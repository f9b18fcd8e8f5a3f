#include <iostream>
using namespace std;
#define int long long
const int MOD = 1000000007;
int fact[6];
int power = 3;

void spin(int n) {
    for (int i = 1; i <= n; i++) {
        power = power * power % MOD;
        fact[i % 6] += power;
    }
}

signed main() {
    int n;
    cin >> n;
    spin(n);
    for (int i = 0; i < 6; i++) cout << fact[i] << ' ';
    cout << power << '\n';
}
