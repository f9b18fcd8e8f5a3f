#include <iostream>
using namespace std;

int main() {
    int n;
    cin >> n;
    int odd = 1, even = 1;
    if (n % 2)
        for (int i = 1; i <= n; i += 2)
            odd = (odd * 3 + i) % 1000;
    else
        even = n / 2;
    cout << odd << " and " << even << endl;
    return 0;
}
