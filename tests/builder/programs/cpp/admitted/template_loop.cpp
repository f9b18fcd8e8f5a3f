#include <iostream>
#include <vector>
using namespace std;

int folds = 1;

template <typename T>
T fold(const vector<T>& v) {
    T sum = 0;
    for (const T& x : v) {
        sum = sum / 2 + x;
        folds = (folds * 5 + int(x)) % 1009;
    }
    return sum;
}

int main() {
    int n;
    cin >> n;
    vector<int> a(n), b(5, 3);
    vector<double> c(n / 2, 2.75);
    for (int& x : a) cin >> x;
    double second = fold(c);
    int first = fold(a), third = fold(b);
    cout << first << ' ' << second << ' ' << third << ' ' << folds << endl;
}
