#include <iostream>
#include <vector>
using namespace std;

int main() {
    int n;
    cin >> n;
    vector<int> steps;
    int x = 1;
    while ((int)steps.size() < n / 2) {
        x = x * 3 % 43 + 1;
        steps.push_back(x);
    }
    for (int i = 0; i < n; i++) {
        x = (x + steps[i / 2 % (n / 2)]) % 59;
        cout << x << (i + 1 < n ? " " : "\n");
    }
}
