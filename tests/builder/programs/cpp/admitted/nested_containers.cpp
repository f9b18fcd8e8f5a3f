#include <iostream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>
using namespace std;

int main() {
    int n;
    cin >> n;
    map<string, vector<pair<int, set<char>>>> index;
    map<int, map<string, double>> rates;
    for (int i = 0; i < n; i++) {
        string word(1 + i % 3, char('a' + i % 4));
        auto& places = index[word];
        if (places.empty() || places.back().second.size() > 2) places.push_back({i, {}});
        places.back().second.insert(char('p' + i * 3 % 7));
        rates[i % 2][word.substr(0, 1)] += i / 8.0;
    }
    cout << index.size() << ' ' << index["a"].size() << ' ' << rates[0]["a"] << endl;
}
