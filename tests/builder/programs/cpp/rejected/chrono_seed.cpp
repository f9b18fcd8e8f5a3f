#include <chrono>
#include <iostream>
#include <random>
using namespace std;
mt19937 rng(chrono::steady_clock::now().time_since_epoch().count());
int main() {
    int n, x = 1;
    cin >> n;
    for (int i = 0; i < n; i++) x = x * 3 % 101 + rng() % 5;
    cout << x << endl;
}
