#include <cstdio>
int main() {
    int n;
    scanf("%d", &n);
    double x = 3;
    for (int i = 0; i < n; i++) x = x * x;
    printf("%d %f\n", n, x);
}
