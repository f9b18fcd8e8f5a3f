#include <iostream>
#include <vector>
using namespace std;

int main() {
    int n;
    cin >> n;
    bool flag = false;
    vector<bool> lamp(9);
    for (int i = 1; i <= n; i++) {
        if (i % 3) flag = !flag;
        for (int j = i - 1; j < 9; j += i) lamp[j].flip();
        lamp[i % 9] = lamp[i % 9] ^ flag;
    }
    cout << boolalpha << flag;
    for (bool on : lamp) cout << ' ' << on;
    cout << noboolalpha << ' ' << lamp[8] << endl;
}
