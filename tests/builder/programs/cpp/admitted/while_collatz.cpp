#include <cstdio>

int main(void)
{
    long n, peak = 0;
    int steps = 0;
    scanf("%ld", &n);
    while (n != 1)
    {
        if (n % 2)
            n = 3 * n + 1;
        else
            n /= 2;
        if (n > peak)
            peak = n;
        ++steps;
    }
    printf("%d steps, up to %ld\n", steps, peak);
    return 0;
}
