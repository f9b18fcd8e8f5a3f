#include <iostream>
using namespace std;

class Die {
    static int rolls;
    static unsigned seed;
    int faces[4] = {0, 0, 0, 0};

public:
    void roll(int times) {
        while (times--) {
            seed = seed * 37 % 1009;
            faces[seed % 4]++;
            rolls += faces[0] > rolls / 4;
        }
    }
    int face(int i) const { return faces[i]; }
    static int count() { return rolls; }
};
int Die::rolls = 0;
unsigned Die::seed = 11;

int main() {
    int n;
    cin >> n;
    Die first, second;
    first.roll(3);
    second.roll(n);
    cout << first.face(1) << second.face(2) << ' ' << Die::count() << endl;
}
