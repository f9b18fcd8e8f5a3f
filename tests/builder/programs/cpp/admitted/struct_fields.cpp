#include <iostream>
#include <string>
#include <vector>
using namespace std;

struct Point {
    int x, y;
    double w;
};
struct Track {
    Point at;
    int turns[2];
    string name;
};

int main() {
    int n;
    cin >> n;
    Track track{{0, 0, 0.5}, {0, 0}, ""};
    vector<Point> corners;
    for (int i = 0; i < n; i++) {
        track.at.x += i % 5;
        track.at.y -= i % 3;
        track.at.w *= 1.5;
        track.turns[i % 2]++;
        if (i % 9 == 4) {
            corners.push_back(track.at);
            track.name += "NESW"[i % 4];
        }
    }
    cout << track.name << ' ' << track.at.x << ' ' << corners.back().y << endl;
}
