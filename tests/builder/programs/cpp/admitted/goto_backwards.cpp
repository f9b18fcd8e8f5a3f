#include <cstdio>

int main() {
    int n, i = 0;
    unsigned mix = 1;
    scanf("%d", &n);
again:
    mix = mix * 3 + i;
    if (++i < 2 * n) goto again;
    mix %= 1000;
count:
    while (i > n) {
        mix = mix * 5 % 997;
        --i;
    }
    if (mix == 0) goto count;
    printf("%u %d\n", mix, i);
    return 0;
}
