#include <iostream>
#include <map>
#include <set>
#include <string>
using namespace std;

int main() {
    int n;
    cin >> n;
    multimap<string, int> by;
    multiset<int> window;
    for (int i = 0; i < n; ++i) {
        int x = i * 7 % 10;
        by.emplace(x % 2 ? "odd" : "even", x);
        window.insert(x);
        if (window.size() > 6) window.erase(window.find(i * 7 % 10 < 5 ? *window.begin() : *window.rbegin()));
    }
    cout << by.count("odd") << ' ' << *window.begin() << ' ' << *window.rbegin() << endl;
}
