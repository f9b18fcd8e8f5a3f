#include <iostream>
#include <string>
#define LINES(s) while (std::getline(std::cin, s))
int main() {
    std::string line, all;
    LINES(line) all += line.substr(0, 1);
    std::cout << all << std::endl;
}
