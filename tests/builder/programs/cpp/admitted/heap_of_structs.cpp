#include <iostream>
#include <queue>
#include <string>
using namespace std;

struct Job {
    int rank;
    string name;
    bool operator<(const Job& other) const { return rank < other.rank; }
};

int main() {
    int n;
    cin >> n;
    priority_queue<Job> jobs;
    string done;
    for (int i = 0; i < n; i++) {
        jobs.push({i * 7 % 41, string(1, char('a' + i % 26))});
        if (i % 3 == 2) {
            done += jobs.top().name;
            jobs.pop();
        }
    }
    cout << done << ' ' << jobs.size() << ' ' << jobs.top().rank << endl;
}
