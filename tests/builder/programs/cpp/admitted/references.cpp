#include <iostream>
#include <vector>
using namespace std;

int main() {
    int n;
    cin >> n;
    vector<int> data = {1, 1};
    vector<int>& same = data;
    int score[3] = {0, 0, 0};
    int &best = score[1], total = 0;
    const int& seen = total;
    for (int i = 2; i < n; i++) {
        same.push_back((same[i - 1] + data[i - 2]) % 100);
        best = max(best, same.back());
        total += best;
    }
    cout << same.size() << ' ' << data.back() << ' ' << best << score[2] << ' ' << seen << endl;
}
