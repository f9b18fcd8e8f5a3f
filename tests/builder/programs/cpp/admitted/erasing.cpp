#include <iostream>
#include <list>
#include <numeric>
using namespace std;

int main() {
    int n;
    cin >> n;
    list<int> xs(n);
    iota(xs.begin(), xs.end(), 1);
    int kept = 0;
    for (auto it = xs.begin(); it != xs.end();)
        if (*it % 3 == 0) it = xs.erase(it);
        else {
            kept = kept * 3 % 101 + *it;
            ++it;
        }
    cout << xs.size() << ' ' << xs.back() << ' ' << kept << endl;
}
