#include <iostream>
using namespace std;

int main() {
    int n;
    cin >> n;
    cout << "n is " << n << endl;
    int x = 1;
    for (int i = 0; i < n; i++) x = x * 10 % 107;
    cout << x << endl;
}
