#include <iostream>
#include <vector>
using namespace std;

struct Primes {
    vector<int> found;
    int tried = 0;
    explicit Primes(int limit) {
        for (int c = 2; c <= limit; c++) {
            bool prime = true;
            for (int p : found)
                if (tried++, c % p == 0) { prime = false; break; }
            if (prime) found.push_back(c);
        }
    }
    int operator()(int x) const {
        int factors = 0;
        for (int p : found) factors += x % p == 0;
        return factors;
    }
};

int main() {
    int limit;
    cin >> limit;
    Primes primes(limit);
    cout << primes(210) << ' ' << primes.tried << ' ' << primes.found.back() << endl;
}
