#include <iostream>
#include <string>
int main() {
    int n;
    std::cin >> n;
    std::string a;
    for (int i = 0; i < n; i++) a += std::to_string(i * i) + (i % 2 ? " and then, a little later, " : ", ");
    std::cout << a.size() << std::endl;
}
