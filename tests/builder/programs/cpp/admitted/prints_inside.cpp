#include <cstdio>

int main() {
    int n, x = 3;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) {
        x = x * 7 % 101;
        printf("{%d}\n", x);
        fflush(stdout);
    }
    return 0;
}
