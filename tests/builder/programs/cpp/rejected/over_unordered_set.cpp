#include <iostream>
#include <unordered_set>
using namespace std;
int main() {
    int n, mix = 0;
    cin >> n;
    unordered_set<int> s{n, 1, 2, 3, 5, 8, 13, 21, 34, 55};
    for (int x : s) mix = (mix * 3 + x * n) % 1009;
    cout << mix << endl;
}
