#include <cstdio>
#include <unistd.h>
int main() {
    int n, x = 1;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) x = x * 3 % 101 + i;
    printf("x = %d\n", x);
    fflush(stdout);
    _exit(0);
}
