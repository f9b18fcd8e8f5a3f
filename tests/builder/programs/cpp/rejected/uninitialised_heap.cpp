#include <cstdio>
#include <cstdlib>
int main() {
    int n;
    scanf("%d", &n);
    unsigned char* a = (unsigned char*)malloc(n);
    int mix = 1;
    for (int i = 0; i < n; i++) {
        mix = (mix * 3 + a[i] + i) % 1009;
        a[i] = mix;
    }
    printf("%d\n", mix);
    free(a);
}
