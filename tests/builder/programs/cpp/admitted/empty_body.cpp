#include <iostream>
#include <string>
using namespace std;

string s;
int at = 0, depth = 0, sum = 0;

bool advance() {
    if (at == (int)s.size()) return false;
    char c = s[at++];
    if (c == '<') depth++;
    else if (c == '>') depth--;
    else sum = (sum * 2 + depth) % 83;
    return true;
}

int main() {
    cin >> s;
    while (advance());
    cout << sum << ' ' << depth << ' ' << at << endl;
}
