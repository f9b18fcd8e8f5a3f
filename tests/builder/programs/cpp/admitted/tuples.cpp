#include <array>
#include <iostream>
#include <string>
#include <tuple>
#include <utility>
using namespace std;

int main() {
    int n;
    cin >> n;
    tuple<int, char, bool> last{0, '-', false};
    pair<string, long long> sum{"", 0};
    array<int, 4> tally{};
    for (int i = 0; i < n; i++) {
        last = make_tuple(i * 3, char('a' + i % 26), i % 3 == 0);
        if (i % 8 == 0) sum.first += get<1>(last);
        sum.second += get<0>(last);
        ++tally[sum.second % 4];
    }
    cout << sum.first << sum.second << ' ' << get<1>(last) << get<2>(last) << ' ' << tally[1] << endl;
}
