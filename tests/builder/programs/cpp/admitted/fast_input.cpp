#include <cstdio>

static inline int read_int() {
    int x = 0, c = getchar(), sign = 1;
    while (c != '-' && (c < '0' || c > '9')) c = getchar();
    if (c == '-') sign = -1, c = getchar();
    for (; c >= '0' && c <= '9'; c = getchar()) x = x * 10 + (c - '0');
    return x * sign;
}

static void write_int(long long x) {
    if (x < 0) putchar('-'), x = -x;
    if (x > 9) write_int(x / 10);
    putchar('0' + x % 10);
}

int a[50];

int main() {
    int n = read_int();
    for (int i = 0; i < n; i++) a[i] = read_int();
    long long best = -1000000, run = 0;
    for (int i = 0; i < n; i++) {
        run = run + a[i] > a[i] ? run + a[i] : a[i];
        if (run > best) best = run;
    }
    write_int(best);
    putchar(' ');
    write_int(run);
    putchar('\n');
    return 0;
}
