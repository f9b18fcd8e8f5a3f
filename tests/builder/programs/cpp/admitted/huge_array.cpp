#include <bits/stdc++.h>
using namespace std;

const int MAXN = 200005;
long long bucket[MAXN];

int main() {
    int n;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) {
        bucket[i % 12] += i + 1;
    }
    long long best = *max_element(bucket, bucket + MAXN);
    printf("%lld\n", best);
}
