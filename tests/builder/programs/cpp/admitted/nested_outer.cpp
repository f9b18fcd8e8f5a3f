#include <cstdio>
#include <utility>

int row[3] = {1, 2, 3};

int main() {
    int n;
    scanf("%d", &n);
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < 3; ++j)
            row[j] += i * (j + 1);
        std::swap(row[0], row[2]);
    }
    printf("%d %d %d\n", row[0], row[1], row[2]);
}
