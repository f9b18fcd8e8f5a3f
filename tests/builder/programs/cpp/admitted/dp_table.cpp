#include <iostream>
#include <vector>
using namespace std;

int main() {
    int n;
    cin >> n;
    vector<vector<long long>> dp(n + 1, vector<long long>(4, 0));
    for (int j = 0; j < 4; j++) dp[0][j] = 1;
    for (int i = 1; i <= n; i++) {
        dp[i][0] = 1;
        for (int j = 1; j < 4; j++)
            dp[i][j] = dp[i - 1][j] + dp[i][j - 1];
    }
    cout << "C = " << dp[n][3] << endl;
}
