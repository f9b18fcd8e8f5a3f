#include <iostream>
using namespace std;

int main() {
    int n;
    cin >> n;
    int calls = 0;
    long long mix = 1;
    auto run = [&](int upto) {
        calls++;
        for (int i = 1; i <= upto; i++) {
            mix = mix * (i + calls) % 100003;
        }
        return mix % 10;
    };
    int first = run(3), second = run(n);
    cout << first << second << ' ' << mix << ' ' << calls << '\n';
}
