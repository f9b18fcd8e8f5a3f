#include <cstdio>
#include <cstring>

int cnt[3][4];
char board[2][8], word[24];

int main() {
    int n;
    scanf("%d", &n);
    unsigned char byte = 250;
    for (int i = 0; i < n; i++) {
        cnt[i % 3][i * i % 4] += i;
        board[i % 2][i / 2 % 7] = 'a' + i % 26;
        word[i % 20] = "xyz"[i % 3];
        byte += 3;
    }
    printf("%d %d %s %s %zu %d\n", cnt[0][0], cnt[2][1], board[0], board[1], strlen(word), byte);
}
