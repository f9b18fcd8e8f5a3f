#include <cstdio>

inline int next_char() { return getchar(); }

struct Reader {
    int read() {
        int x = 0, c = next_char();
        while (c >= '0') x = x * 10 + c - '0', c = next_char();
        return x;
    }
} in;

template <class T> T get() { return in.read(); }

int main() {
    int n = get<int>(), mix = 0;
    for (int i = 0; i < n; i++) mix = (mix * 7 + get<int>()) % 509;
    printf("%d\n", mix);
}
