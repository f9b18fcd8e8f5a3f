#include <iostream>
typedef unsigned long long ull;
const ull MOD = 1000000007;

struct Matrix {
    ull a[2][2];
    Matrix operator*(const Matrix& o) const {
        Matrix r{};
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++)
                for (int k = 0; k < 2; k++) r.a[i][j] = (r.a[i][j] + a[i][k] * o.a[k][j]) % MOD;
        return r;
    }
};

int main() {
    ull e;
    std::cin >> e;
    Matrix r{{{1, 0}, {0, 1}}}, b{{{1, 1}, {1, 0}}};
    while (e) {
        if (e & 1) r = r * b;
        b = b * b;
        e >>= 1;
    }
    std::cout << "F = " << r.a[0][1] << std::endl;
}
