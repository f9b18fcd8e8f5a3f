#include <iostream>
using namespace std;

int main() {
    int n;
    cin >> n;
    int odd = 0, even = 5;
    if (n % 2) odd = n;
    else while (n > 0)
        even = even * 3 % 1009 + n, n -= 2;
    cout << odd << " and " << even << endl;
}
