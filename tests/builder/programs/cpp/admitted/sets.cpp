#include <iostream>
#include <set>
#include <utility>
using namespace std;

int main() {
    int n;
    cin >> n;
    set<int> taken;
    set<pair<char, int>, greater<pair<char, int>>> marks;
    int gap = 0;
    set<int>::iterator it;
    for (int i = 0; i < n; i++) {
        int x = i * 11 % 31;
        it = taken.lower_bound(x);
        if (it != taken.end()) gap += *it - x;
        taken.insert(x);
        marks.insert({char('a' + x % 3), x % 5});
    }
    cout << gap << ' ' << taken.size() << ' ' << marks.begin()->first << endl;
}
