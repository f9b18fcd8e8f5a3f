#include <stdio.h>
#include <string.h>
#include <ctype.h>

int main() {
    char s[64], out[128] = "";
    scanf("%63s", s);
    int upper = 0;
    char *p = s, last = 0;
    size_t len = 0;
    while (*p) {
        if (isupper((unsigned char)*p)) upper++, last = *p;
        len += sprintf(out + len, isdigit((unsigned char)*p) ? "[%c]" : "%c", tolower((unsigned char)*p));
        ++p;
    }
    printf("%s %d %c %zu\n", out, upper, last, strlen(s));
    return 0;
}
