#include <iostream>
#include <vector>

int main() {
    int limit;
    std::cin >> limit;
    std::vector<int> primes;
    int candidate = 1;
    while (true) {
        candidate++;
        bool prime = true;
        for (int p : primes)
            if (candidate % p == 0) { prime = false; break; }
        if (!prime) continue;
        if (candidate > limit) {
            break;
        }
        primes.push_back(candidate);
    }
    std::cout << primes.size() << " up to " << limit << ", next " << candidate << "\n";
}
