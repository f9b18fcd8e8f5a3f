#include <iostream>
using namespace std;

int main() {
    int n, mix = 1; // set up \
       and this line, too
    cin >> n;
    for (int i = 0; i < n; i++)
    {
        mix = mix * 7 % 1009;

        mix += i;
    }
    cout << "mix " << mix << endl;
}
