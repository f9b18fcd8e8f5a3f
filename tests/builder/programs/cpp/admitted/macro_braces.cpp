#include <iostream>
#define REPEAT(i, n) for (int i = 0; i < (n); i++) {
#define END }
using namespace std;

int main() {
    int n;
    cin >> n;
    int a = 1, b = 2;
    REPEAT(i, n)
        a = (a * 3 + i) % 103;
    END
    for (int i = 0; i < n - 5; i++) {
        b = (b * 5 + a + i) % 107;
    }
    cout << a << ' ' << b << endl;
}
