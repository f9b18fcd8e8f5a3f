#include <iostream>
#include <set>
int main() {
    int n, mix = 0;
    std::cin >> n;
    std::set<int*> held;
    for (int i = 0; i < n; i++) mix = mix * 3 % 101 + i, held.insert(new int[1 + i * 97 % 500]);
    std::cout << mix << ' ' << reinterpret_cast<unsigned long long>(*held.begin()) / 4096 % 1000003 << std::endl;
    while (!held.empty()) delete[] *held.begin(), held.erase(held.begin());
}
