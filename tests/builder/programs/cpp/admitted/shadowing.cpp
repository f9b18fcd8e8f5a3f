#include <iostream>
using namespace std;

int x = 1000;
int twist(int x) { return ::x += x; }

int main() {
    int n;
    cin >> n;
    int x = 1, y = 0;
    {
        char x = 'x';
        y += x;
    }
    for (int i = 0; i < n; i++) {
        x = x * 3 % 61 + i;
        if (i % 2) {
            int x = i * 100;
            y = (y + x) % 977;
        } else {
            for (int x = 0; x < 3; x++) y += x;
        }
        if (i % 10 == 0) twist(x);
    }
    cout << x << ' ' << y << ' ' << ::x << endl;
}
