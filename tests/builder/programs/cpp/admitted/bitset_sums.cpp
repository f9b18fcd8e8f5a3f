#include <bitset>
#include <iostream>
using namespace std;

int main() {
    int n;
    cin >> n;
    bitset<40> can;
    can[0] = true;
    unsigned grown = 0;
    for (int i = 0; i < n; i++) {
        size_t before = can.count();
        can |= can << (i * i % 11 + 1);
        can.flip(i % 40);
        grown += can.count() > before;
    }
    cout << can.count() << " sums, grown " << grown << " times" << endl;
}
