#include <iostream>
using namespace std;
int main() {
    int n; long long s = 0;
    cin >> n;
    for (int i = 0; i < 3; i++) for (int j = 0; j < n; j++) if ((i + j) % 3 != 1) s += (i + 2) * j;
    cout << "s=" << s << "\n";
}
