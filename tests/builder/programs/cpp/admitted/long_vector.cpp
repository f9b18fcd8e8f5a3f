#include <iostream>
#include <vector>
using namespace std;

int main() {
    int n;
    cin >> n;
    vector<int> ring(50);
    int at = 0;
    for (int i = 1; i <= n; i++) {
        at = (at + 7) % 50;
        ring[at] += i;
    }
    cout << ring[3] << ' ' << ring[49] << ' ' << at << endl;
}
