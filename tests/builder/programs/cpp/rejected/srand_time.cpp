#include <cstdlib>
#include <ctime>
#include <cstdio>
int main() {
    int n, x = 1;
    scanf("%d", &n);
    srand(time(0));
    for (int i = 0; i < n; i++) x = x * 3 % 101 + rand() % 6;
    printf("%d\n", x);
}
