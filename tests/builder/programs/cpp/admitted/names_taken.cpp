#include <cstdio>
#include <iostream>
#include <string>

int body_visits = 0, shown = 0, stop = 1;
std::string out, loop_ends, json = "{}", result;
struct json_fields { int value; };
void stop_with(int state) { shown += state; }
void checkpoint(int visit) { body_visits += visit % 3; }
namespace first_items { int counter = 0; int count() { return ++counter; } }
template <class T> std::string to_json(const T&) { return "?"; }

int main() {
    int visits;
    std::cin >> visits;
    json_fields printer{5};
    for (int visit = 1, state = 2; visit <= visits; visit++) {
        stop = stop * 3 % 47;
        stop_with(stop % state);
        checkpoint(visit * stop);
        out += "|-/"[first_items::count() % 3];
        printer.value ^= stop;
    }
    std::cout << body_visits << shown << stop << out.size() << json << printer.value << result << loop_ends << std::endl;
}
