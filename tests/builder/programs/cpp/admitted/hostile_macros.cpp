#include <bits/stdc++.h>
using namespace std;
#define endl '\n'
#define cout cerr
#define string vector<int>
#define to_string stoi
#define size length
#define begin end
#define first second
#define printf(...) 0
#define exit abort
#define out in
#define true false
#define _exit pause
#define ONE 1

int main() {
    int in;
    cin >> in;
    string parts;
    long long mix = ONE;
    bool even = true;
    while (in > 0) {
        mix = mix * 31 % 1009 + in;
        even = mix % 2 == 0;
        if (in % 6 == 0) parts.push_back(mix % 100);
        in--;
    }
    *std::cin.tie() << mix << endl << even << endl << parts.back() << endl;
}
