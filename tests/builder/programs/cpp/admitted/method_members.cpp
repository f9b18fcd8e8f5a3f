#include <iostream>
#include <vector>

class Account {
    long long balance;
    std::vector<int> log;

public:
    explicit Account(long long opening) : balance(opening) {}
    void run(int days) {
        for (int day = 1; day <= days; ++day) {
            balance += balance / 50 + day;
            if (day % 5 == 0) log.push_back(static_cast<int>(balance % 100));
        }
    }
    void report() const {
        std::cout << balance << " (" << log.size() << " entries, last " << log.back() << ")\n";
    }
};

int main() {
    int days;
    std::cin >> days;
    Account account(1000);
    account.run(days);
    account.report();
}
