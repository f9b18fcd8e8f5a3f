#include <iostream>
#include <atcoder/modint_that_is_nowhere>
using namespace std;
int main() {
    int n, x = 1;
    cin >> n;
    for (int i = 0; i < n; i++) x = x * 3 % 101;
    cout << x << endl;
}
