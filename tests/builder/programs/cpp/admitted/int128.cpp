#include <cstdint>
#include <iostream>
using namespace std;

int main() {
    int n;
    cin >> n;
    __int128 wide = -1;
    unsigned __int128 tall = 1;
    uint64_t mix = 0x9E3779B97F4A7C15ULL;
    int64_t least = INT64_MAX;
    for (int i = 0; i < n; i++) {
        wide = wide * 7 - i;
        tall = tall << 3 | (i & 5);
        mix = mix * 6364136223846793005ULL + 1442695040888963407ULL;
        if ((int64_t)(mix >> 1) < least) least = mix >> 1;
    }
    cout << (long long)(wide % 1000000007) << ' ' << (unsigned long long)(tall >> 64) << ' ' << mix << ' ' << least << endl;
}
