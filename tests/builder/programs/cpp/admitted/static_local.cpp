#include <iostream>
using namespace std;

int draw(int n) {
    static int seed = 1, calls = 0;
    ++calls;
    int drawn = 0;
    for (int i = 0; i < n; ++i) {
        seed = seed * 16 % 211;
        drawn += seed % 6 * calls;
    }
    return drawn;
}

int main() {
    int n;
    cin >> n;
    int a = draw(4);
    int b = draw(n);
    cout << a << ' ' << b << ' ' << draw(1) << endl;
}
