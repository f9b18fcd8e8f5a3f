#include <iostream>

int total, n;

void rows() {
    for (int j = 0; j < n; j++) total += j * j;
}

int main() {
    std::cin >> n;
    rows(), rows(), rows(), rows();
    std::cout << total << std::endl;
}
