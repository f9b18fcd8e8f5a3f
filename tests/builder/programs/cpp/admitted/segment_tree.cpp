#include <cstdio>
#include <cstring>

struct Tree {
    long long t[16];
    void add(int i, int v) {
        for (t[i += 8] += v; i > 1; i >>= 1) t[i >> 1] = t[i] + t[i ^ 1];
    }
    long long sum(int l, int r) const {
        long long s = 0;
        for (l += 8, r += 8; l < r; l >>= 1, r >>= 1) {
            if (l & 1) s += t[l++];
            if (r & 1) s += t[--r];
        }
        return s;
    }
} tree;

int main() {
    int n;
    scanf("%d", &n);
    memset(&tree, 0, sizeof tree);
    long long seen = 0;
    for (int i = 1; i <= n; i++) {
        tree.add(i * 5 % 8, i * i % 19);
        seen += tree.sum(i % 4, 4 + i % 5);
    }
    printf("%lld %lld\n", seen, tree.sum(0, 8));
}
