#include <iostream>
#include <string>
using namespace std;

int main() {
    int n;
    cin >> n;
    string trail;
    long long sum = 0;
    for (int i = 0; i < n; i++) {
        trail += to_string(1000000007LL * (i + 1)) + ",";
        sum += 1LL * i * i % 10;
    }
    cout << trail.size() << ' ' << sum << '\n';
}
