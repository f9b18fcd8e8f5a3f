#include <iostream>
#include <string>
using namespace std;

int main() {
    string s;
    int i, j, same = 0;
    cin >> s;
    for (i = 0, j = (int)s.size() - 1; i < j; i++, j--)
        swap(s[i], s[j]), same += s[i] == s[j];
    cout << s << ' ' << same << ' ' << i << ' ' << j << endl;
}
