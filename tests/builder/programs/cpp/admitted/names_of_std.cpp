#include <algorithm>
#include <iostream>
#include <vector>
using namespace std;

int main() {
    int size, left = 0, right = 0, count = 0, max = 0;
    cin >> size;
    vector<int> data(size), next;
    generate(data.begin(), data.end(), [v = 3]() mutable { return v = v * 5 % 37; });
    while (right < size) {
        max = std::max(max, data[right]);
        count += data[right++] % 2;
        if (count > 3) {
            next.push_back(right - left);
            while (count > 1) count -= data[left++] % 2;
        }
    }
    cout << max << ' ' << left << ' ' << next.size() << ' ' << next[0] << endl;
}
