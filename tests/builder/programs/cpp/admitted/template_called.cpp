#include <iostream>
#include <string>
#include <vector>
using namespace std;

template <typename T> T twice(T x) { return x + x; }
template <class T, size_t N = 2>
T last(const vector<T>& v) {
    T r = v.back();
    for (size_t i = 1; i < N; i++) r = r + v[v.size() - 1 - i];
    return r;
}

int main() {
    int n;
    cin >> n;
    vector<int> a{1, 2};
    vector<string> b{"x", "y"};
    for (int i = 0; i < n; i++) {
        a.push_back(last(a) % 50 + twice(i));
        if (i % 8 == 0) b.push_back(last<string, 2>(b) + twice<string>("."));
    }
    cout << a.back() << ' ' << b.back() << endl;
}
