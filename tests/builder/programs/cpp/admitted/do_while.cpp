#include <algorithm>
#include <iostream>
#include <string>
using namespace std;

int main() {
    unsigned long long x;
    cin >> x;
    int parity = 0;
    string digits;
    do {
        digits += char('0' + x % 3);
        parity ^= x & 1;
        x /= 3;
    } while (x > 0);
    reverse(digits.begin(), digits.end());
    cout << digits << ' ' << parity << '\n';
}
