#include <cstdio>
#include <stack>

struct Call {
    int n;
    char from, to;
};

int main() {
    int n, moves = 0;
    long long mix = 0;
    scanf("%d", &n);
    std::stack<Call> calls;
    calls.push({n, 'A', 'C'});
    do {
        Call c = calls.top();
        calls.pop();
        if (c.n == 0) continue;
        char via = 'A' + 'B' + 'C' - c.from - c.to;
        if (c.n == 1) {
            moves++;
            mix = (mix * 3 + c.to - 'A') % 1021;
            continue;
        }
        calls.push({c.n - 1, via, c.to});
        calls.push({1, c.from, c.to});
        calls.push({c.n - 1, c.from, via});
    } while (!calls.empty());
    printf("%d moves, %lld\n", moves, mix);
}
