#include <cstdio>
int main() {
    int x;
    long long mix = 1;
    while (~scanf("%d", &x)) mix = (mix * 5 + x) % 10007;
    printf("%lld\n", mix);
}
