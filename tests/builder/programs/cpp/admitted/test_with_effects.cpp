#include <iostream>
using namespace std;

int budget = 60, asked = 0;
bool afford(int cost) { asked++; return (budget -= cost) >= 0; }

int main() {
    int n;
    cin >> n;
    long long hash = 5;
    int i = 0;
    while (i < n && afford(i % 4) && hash != 1) {
        hash = hash * 8 % 163 + i % 2;
        i++;
    }
    cout << hash << ' ' << i << ' ' << budget << ' ' << asked << endl;
}
