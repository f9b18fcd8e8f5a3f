#include <iostream>
struct Item { long long key[4]; };
int main() {
    int n, mix = 1, hits = 0;
    std::cin >> n;
    Item* item = new Item{{1, 2, 3, 4}};
    Item* stale = item;
    for (int i = 0; i < n; i++) {
        if (i == 3) delete item, item = new Item{{5, 6, 7, 8}};
        mix = mix * 3 % 211 + item->key[i % 4];
        if (i > 3 && stale != item && stale->key[3] == 123456789) hits++;
    }
    delete item;
    std::cout << mix << ' ' << hits << std::endl;
}
