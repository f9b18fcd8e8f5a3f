#include <iostream>
using namespace std;

int walk(int level, int n) {
    int total = 0;
    for (int i = 0; i < n / level; i++) {
        if (i == 2 && level < 3) total += walk(level + 1, n);
        total += i;
    }
    return total;
}

int main() {
    int n;
    cin >> n;
    int total = walk(1, n);
    cout << "walked " << total << endl;
}
