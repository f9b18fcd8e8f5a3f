#include <iostream>
#include <vector>

std::vector<int> stack;
int depth = 0;

struct Frame {
    int mark;
    explicit Frame(int mark) : mark(mark) { stack.push_back(mark); }
    ~Frame() {
        depth += (int)stack.size() * mark % 5;
        if (mark % 3) stack.pop_back();
    }
};

int main() {
    int n;
    std::cin >> n;
    for (int i = 0; i < n; i++) {
        Frame frame(i);
        if (i % 4 == 1) continue;
        depth ^= frame.mark;
    }
    std::cout << depth << " " << stack.size() << std::endl;
}
