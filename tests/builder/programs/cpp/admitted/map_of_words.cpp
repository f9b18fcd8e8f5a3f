#include <iostream>
#include <map>
#include <sstream>
#include <string>
using namespace std;

int main() {
    string line, w;
    getline(cin, line);
    stringstream words(line);
    map<string, int> freq;
    string longest;
    while (words >> w) {
        freq[w]++;
        if (w.size() > longest.size()) longest = w;
    }
    cout << freq.size() << " " << longest << " " << w << endl;
}
