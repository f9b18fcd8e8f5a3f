#include <iostream>

namespace geo {
int area = 2;
namespace {
int corners = 0;
int turn(int i) {
    static int last = 1;
    return last = (last * 5 + i) % 23;
}
}  // namespace

void sweep(int n) {
    for (int i = 0; i < n; i++) {
        area += geo::turn(i);
        if (area % 3 == 0) corners++;
    }
}
}  // namespace geo

int main() {
    int n;
    std::cin >> n;
    geo::sweep(n);
    std::cout << geo::area << "/" << geo::corners << std::endl;
}
