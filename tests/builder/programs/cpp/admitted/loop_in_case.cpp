#include <iostream>
using namespace std;

int main() {
    int mode, n, x = 1;
    cin >> mode >> n;
    switch (mode) {
        case 0:
            x = n;
            break;
        case 1:
            for (int i = 0; i < n; i++) x = (x * 4 + i) % 131;
            x += 1000;
            break;
        case 2:
        default:
            while (n) x += n--;
    }
    cout << "x = " << x << endl;
}
