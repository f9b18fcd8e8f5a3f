#include <iostream>
using namespace std;
int main() {
    int n, x = 1, turns = 0;
    cin >> n;
    do x = x * 3 % 1009 + turns; while (++turns < n);
    cout << x << " after " << turns << "\n";
}
