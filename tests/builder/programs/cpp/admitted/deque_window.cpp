#include <deque>
#include <iostream>
#include <utility>
#include <vector>
using namespace std;

int main() {
    int n, width = 4;
    cin >> n;
    deque<pair<int, int>> dq;
    vector<int> least;
    for (int i = 0; i < n; i++) {
        int x = (i * 17 + 5) % 23;
        while (!dq.empty() && dq.back().second >= x) dq.pop_back();
        dq.emplace_back(i, x);
        if (dq.front().first <= i - width) dq.pop_front();
        least.push_back(dq.front().second);
    }
    for (int x : least) cout << x << (x == least.back() ? "." : ",");
    cout << '\n';
}
