#include <iostream>
#include <string>
using namespace std;

int main() {
    int n, a = 1, b = 2, c = 3, d = 4, e = 5;
    string trail;
    char g = 'g';
    cin >> n;
    for (int i = 0; i < n; i++) {
        a = a * 3 % 101 + 100;
        b = b * 5 % 103 + 100;
        c = c * 7 % 107 + 100;
        d = d * 11 % 109 + 100;
        e = e * 13 % 113 + 100;
        trail += g = char('a' + (a + b) % 26);
    }
    cout << a + b + c + d + e << trail << g << endl;
}
