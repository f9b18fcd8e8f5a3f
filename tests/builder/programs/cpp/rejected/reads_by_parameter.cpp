#include <iostream>
#include <istream>
using namespace std;

long long total(istream& in, int n) {
    long long sum = 0;
    for (int i = 0, x; i < n && in >> x; i++) sum = sum * 3 % 1013 + x;
    return sum;
}

int main() {
    int n;
    cin >> n;
    cout << total(cin, n) << endl;
}
