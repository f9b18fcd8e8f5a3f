#include <cstdio>

long long walk(int level, int n) {
    long long total = level;
    for (int i = 0; i < level * n; i++) {
        if (i == 0 && level < 3)
            total += walk(level + 1, n);
        total += i;
    }
    return total;
}

int main() {
    int n;
    scanf("%d", &n);
    printf("1 + 2 + 3 and more: %lld\n", walk(1, n));
}
