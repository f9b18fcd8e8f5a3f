#include <iostream>
#include <string>
#include <vector>
using namespace std;

int main() {
    int n;
    cin >> n;
    string s, line = "\"";
    vector<string> lines;
    for (int i = 1; i <= n; i++) {
        s += to_string(i * i % 10) + (i % 4 ? "\t" : "\\\n");
        line.insert(line.begin(), char('!' + i % 3));
        if (line.size() == 6) {
            lines.push_back(line + "'/*");
            line.clear();
        }
    }
    cout << s.size() << ' ' << lines.size() << ' ' << line << endl;
}
