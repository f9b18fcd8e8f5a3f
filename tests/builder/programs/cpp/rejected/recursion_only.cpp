#include <iostream>
using namespace std;
int f(int n) { return n < 2 ? n : (f(n - 1) + f(n - 2)) % 1000; }
int main() {
    int n, i = 0, s = 0;
    cin >> n;
more:
    s += f(i % 12);
    if (++i < n) goto more;
    cout << s << endl;
}
