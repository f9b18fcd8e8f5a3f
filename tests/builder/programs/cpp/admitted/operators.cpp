#include <iostream>
#include <map>
using namespace std;

struct Vec {
    long long x = 1, y = 0;
    Vec operator+(const Vec& o) const { return {x + o.x, y + o.y}; }
    Vec& operator<<=(int by) { x = x << by & 1023; return *this; }
    long long operator[](int i) const { return i ? y : x; }
    bool operator<(const Vec& o) const { return x < o.x || (x == o.x && y > o.y); }
    operator bool() const { return x || y; }
};
ostream& operator<<(ostream& os, const Vec& v) { return os << "<" << v.x << " " << v.y << ">"; }

int main() {
    int n;
    cin >> n;
    Vec at, least{1 << 20};
    map<Vec, int> seen;
    for (int i = 0; i < n; i++) {
        at = at + Vec{i % 4, at[0] % 3};
        at <<= 1;
        if (at < least || !at) least = at;
        if (i % 4 == 0) seen[at] = i;
    }
    cout << at << least << seen.size() << endl;
}
