#include <iostream>
#include <vector>
using namespace std;

int cube[2][3][2];

int main() {
    int n;
    cin >> n;
    vector<vector<vector<int>>> deep(2, vector<vector<int>>(2));
    for (int t = 0; t < n; t++) {
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 3; j++) cube[i][j][t % 2] += i * t + j;
        deep[t % 2][t / 2 % 2].push_back(cube[1][t % 3][0] % 10);
    }
    cout << cube[1][2][1] << ' ' << deep[0][1].size() << ' ' << deep[1][0].back() << endl;
}
