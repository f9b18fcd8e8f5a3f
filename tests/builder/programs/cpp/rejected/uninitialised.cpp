#include <iostream>
using namespace std;
int main() {
    int n, start;
    cin >> n;
    int mix = n;
    for (int i = 0; i < n; i++) {
        if (i > 2 * n) start = i;
        mix = (mix * 3 + (start & 7) + i) % 1009;
    }
    cout << mix << endl;
}
