#include <iostream>
using namespace std;

int main() {
    int mode, n;
    long long x = 1;
    cin >> mode >> n;
    switch (mode) {
        case 1: x = 5;
        case 2:
        default: while (n > 0) x = x * 6 % 223 + n--;
    }
    cout << "x = " << x << endl;
}
