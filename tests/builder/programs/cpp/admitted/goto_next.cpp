#include <iostream>
using namespace std;

int main() {
    int n, found = 0, tried = 0;
    cin >> n;
    for (int c = 1; c <= n; c++) {
        if (c % 4 == 3) goto next;
        for (int a = 1; a < c; a++)
            for (int b = a; b < c && b < 7; b++) {
                tried++;
                if (a * a + b * b == c * c) goto triple;
            }
        goto next;
    triple:
        found = found * 2 + c;
    next:;
    }
    cout << found << " by " << tried << endl;
}
