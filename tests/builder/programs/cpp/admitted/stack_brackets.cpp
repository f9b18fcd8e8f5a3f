#include <iostream>
#include <stack>
#include <string>
using namespace std;

int main() {
    string s;
    cin >> s;
    stack<char> st;
    bool ok = true;
    size_t deepest = 0;
    for (char c : s) {
        switch (c) {
            case '(':
            case '[':
                st.push(c);
                break;
            case ')':
                if (st.empty() || st.top() != '(') { ok = false; break; }
                st.pop();
                break;
            case ']': {
                if (!st.empty() && st.top() == '[') st.pop();
                else ok = false;
                break;
            }
            default:
                continue;
        }
        deepest = max(deepest, st.size());
    }
    cout << (ok && st.empty() ? "balanced" : "not") << ' ' << deepest << '\n';
}
