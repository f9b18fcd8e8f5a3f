#include <iostream>
#include <string>
using namespace std;

int main() {
    int n;
    cin >> n;
    char c = 'a';
    signed char low = -100;
    unsigned char high = 200;
    string word;
    for (int i = 0; i < n; i++) {
        c = char('a' + (c - 'a' + 5) % 26);
        low = (signed char)(-low / 2 * 3 % 101 + 1);
        high = high * 7 + 3;
        if (high & 1) word += c;
    }
    cout << c << ' ' << int(low) << ' ' << +high << ' ' << word << '\n';
}
