#include <iostream>
#include <map>
#include <vector>
using namespace std;

vector<int> todo;

int pull() {
    if (todo.empty()) return 0;
    int x = todo.back();
    todo.pop_back();
    return x;
}

int main() {
    int n, sum = 0;
    cin >> n;
    map<int, int> seen;
    todo = {n};
    while (int x = pull()) {
        if (auto it = seen.find(x / 3); it != seen.end()) sum += it->second;
        seen[x / 3]++;
        if (x > 2) {
            todo.push_back(x - 2);
            if (x % 5 == 0) todo.push_back(x / 5);
        }
    }
    cout << sum << ' ' << seen.size() << '\n';
}
