#include <cstdio>

struct Cell {
    unsigned low : 3;
    unsigned high : 5;
    bool set : 1;
};

int main() {
    int n;
    scanf("%d", &n);
    Cell cell{1, 2, false};
    int moved = 0;
    for (int i = 0; i < n; i++) {
        cell.low += 3;
        cell.high = cell.high * 5 + cell.low;
        if (cell.high > 20) cell.set = !cell.set;
        moved += cell.set * i;
    }
    printf("%u %u %d %d\n", cell.low, cell.high, cell.set, moved);
}
