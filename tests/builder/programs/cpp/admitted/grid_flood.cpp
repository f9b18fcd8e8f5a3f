#include <iostream>
#include <queue>
#include <string>
#include <tuple>
#include <vector>
using namespace std;

const int dx[] = {1, 0, -1, 0}, dy[] = {0, 1, 0, -1};

int main() {
    int h, w;
    cin >> h >> w;
    vector<string> grid(h);
    for (auto& row : grid) cin >> row;
    queue<tuple<int, int, char>> q;
    int filled = 0;
    grid[0][0] = 'a';
    q.emplace(0, 0, 'a');
    while (!q.empty()) {
        auto [x, y, c] = q.front();
        q.pop();
        filled++;
        for (int d = 0; d < 4; d++) {
            int nx = x + dx[d], ny = y + dy[d];
            if (nx < 0 || ny < 0 || nx >= h || ny >= w || grid[nx][ny] != '.') continue;
            grid[nx][ny] = char(c + 1);
            q.push({nx, ny, char(c + 1)});
        }
    }
    for (auto& row : grid) cout << row << '\n';
    cout << filled << endl;
}
