#include <iostream>
#include <memory>
#include <optional>
#include <vector>
using namespace std;

class Mod {
    int v;

public:
    Mod(int x) : v(x % 97) {}
    Mod& operator*=(const Mod& o) { v = v * o.v % 97; return *this; }
    friend Mod operator+(Mod a, const Mod& b) { return Mod(a.v + b.v); }
    explicit operator int() const { return v; }
    friend ostream& operator<<(ostream& out, const Mod& m) { return out << m.v << " mod 97"; }
};

int main() {
    int n;
    cin >> n;
    struct Range { int from, to; } range{0, n};
    Mod power(1);
    optional<int> last;
    auto box = make_unique<int>(3);
    enum class Side { left, right } side = Side::left;
    vector<int> shown;
    while (range.from < range.to) {
        power = power + Mod(range.from);
        power *= 5;
        if (side == Side::right) last = shown.back();
        shown.push_back(int(power) + last.value_or(0) % 3 + *box % 2);
        *box += 1;
        side = side == Side::left ? Side::right : Side::left;
        range.from++;
    }
    cout << power << ' ' << *box << ' ' << shown.back() << endl;
}
