#include <iostream>
#include <vector>

int tried;

int search(const std::vector<int>& a, int wanted) {
    int at = 0;
    for (int x : a) {
        tried++;
        if (x == wanted) return at;
        at = (at * 3 + x) % 97;
    }
    return -at;
}

int main() {
    int n;
    std::cin >> n;
    std::vector<int> a(n), b(n / 2, 5);
    for (int& x : a) std::cin >> x;
    int found = search(a, a[n - 1]), lost = search(b, 6);
    std::cout << found << ' ' << lost << ' ' << tried << std::endl;
}
