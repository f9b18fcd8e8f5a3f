#include <iostream>
#include <stdexcept>
#include <string>
using namespace std;

int half(int x) {
    if (x % 2) throw invalid_argument("odd");
    return x / 2;
}

int main() {
    int n, sum = 0, odd = 0;
    string last = "none";
    cin >> n;
    for (int i = 0; i < n; i++) {
        try {
            sum += half(i * i + i / 3);
            if (i % 7 == 6) throw i;
        } catch (const invalid_argument& e) {
            odd++;
            last = e.what();
        } catch (int code) {
            last = "seven " + to_string(code);
            continue;
        }
        sum ^= 1;
    }
    cout << sum << ' ' << odd << ' ' << last << endl;
}
