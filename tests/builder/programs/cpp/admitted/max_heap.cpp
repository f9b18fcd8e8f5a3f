#include <cstdio>
#include <queue>
#include <vector>

int main() {
    int n, x;
    std::priority_queue<int> heap;
    if (scanf("%d", &n) != 1) return 1;
    while (n-- && scanf("%d", &x) == 1) heap.push(x);
    long long heat = 0;
    while (heap.size() > 1) {
        int a = heap.top(); heap.pop();
        int b = heap.top(); heap.pop();
        heat += 1LL * a * b;
        if (a > b) heap.push(a - b);
    }
    printf("%lld\n", heat + (heap.empty() ? 0 : heap.top()));
    return 0;
}
