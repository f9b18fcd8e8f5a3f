#include <iostream>

int main() {
    int n, at = 1, turns = 0;
    std::cin >> n;
    for (;;) {
        at = at * 5 % n;
        ++turns;
        if (at == 1) break;
    }
    std::cout << turns << " turns\n";
}
