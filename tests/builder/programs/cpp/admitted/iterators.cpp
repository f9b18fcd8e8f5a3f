#include <iostream>
#include <list>
using namespace std;

int main() {
    int n;
    cin >> n;
    list<int> xs(n);
    int filled = 0, kept = 0;
    for (int& x : xs) x = filled++ * 2;
    for (list<int>::iterator it = xs.begin(); it != xs.end();)
        if (*it % 3 == 0) it = xs.erase(it);
        else {
            kept += *it;
            ++it;
        }
    for (auto it = xs.rbegin(); it != xs.rend(); ++it) cout << *it << ' ';
    cout << kept << endl;
}
