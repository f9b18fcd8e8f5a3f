#include <cmath>
#include <cstdio>

int main() {
    int n;
    scanf("%d", &n);
    double x = 0.25, sum = 0;
    float half = 0.5f;
    long double fine = 1;
    for (int i = 1; i <= n; i++) {
        x = 3.75 * x * (1 - x);
        sum += i % 2 ? x : -x;
        half += 0.25f;
        fine /= 2;
    }
    printf("%.6f %.6f %.3f %.9Lf\n", x, sum, half, fine);
    return 0;
}
