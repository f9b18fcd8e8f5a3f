#pragma GCC optimize("O3,unroll-loops")
#include <bits/stdc++.h>
#ifdef _MSC_VER
#pragma comment(linker, "/STACK:268435456")
#endif
using namespace std;
#define fastio ios_base::sync_with_stdio(false), cin.tie(NULL), cout.tie(NULL)

[[gnu::noinline]] static int step(int x, [[maybe_unused]] int unused) { return x * 17 % 257; }

int main() {
    fastio;
    register_t n;
    cin >> n;
    assert(n > 0 && "empty");
    int x = 3, wraps = 0;
#pragma GCC ivdep
    for (int i = 0; i < n; i++) {
        int y = step(x, i);
        if (__builtin_expect(y < x, 0)) [[unlikely]] ++wraps;
        x = y;
    }
    cout << x << ' ' << wraps << '\n';
    return 0;
}
