#include <cstdio>
#include <cstdlib>
#include <vector>

[[noreturn]] void finish(const std::vector<int>& v) {
    printf("%zu values, the last is %d\n", v.size(), v.back());
    exit(0);
}

int main() {
    int n;
    if (scanf("%d", &n) != 1) exit(3);
    std::vector<int> v;
    for (int i = 0;; i++) {
        if (i >= n) break;
        v.push_back((i * i + 5) % 23);
    }
    finish(v);
}
