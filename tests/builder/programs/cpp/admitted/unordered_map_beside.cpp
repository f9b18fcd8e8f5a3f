#include <iostream>
#include <unordered_map>
#include <unordered_set>
using namespace std;

int main() {
    int n, value = 1, first = 0;
    cin >> n;
    unordered_map<int, int> at;
    unordered_set<int> rests;
    for (int i = 1; i <= n; i++) {
        value = value * 7 % 113;
        if (at.count(value % 30)) first += i - at[value % 30];
        at[value % 30] = i;
        rests.insert(value % 10);
    }
    cout << first << ' ' << at.size() << ' ' << rests.size() << endl;
}
