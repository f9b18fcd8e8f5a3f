#include <iostream>
int main() {
    int n, a = 0, b = 1;
    std::cin >> n;
    for (int i = 0; i < 2; i++)
        if (i)
            for (int j = 0; j < n; j++)
                if (j % 3) a += b;
                else b = (b + j) % 17;
        else
            a -= 7;
    std::cout << a << ' ' << b << '\n';
}
