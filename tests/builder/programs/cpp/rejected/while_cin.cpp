#include <iostream>
#include <vector>
using namespace std;
int main() {
    vector<int> v;
    int x;
    while (cin >> x)
        v.push_back(x * 2);
    cout << v.size() << ' ' << v.back() << endl;
}
