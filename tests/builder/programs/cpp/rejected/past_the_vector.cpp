#include <iostream>
#include <vector>
using namespace std;
int main() {
    int n, mix = 1;
    cin >> n;
    vector<int> v;
    v.reserve(64);
    for (int i = 0; i < n; i++) {
        v.push_back(i * i % 17);
        if (i % 9 == 8) v.pop_back(), mix += v[v.size()];
        mix = mix * 3 % 211;
    }
    cout << mix << ' ' << v.size() << endl;
}
