#include <iostream>
struct Node { int value; Node* next; };
int main() {
    int n;
    std::cin >> n;
    static Node nodes[50];
    for (int i = 0; i < n; i++) nodes[i].value = i * i % 11;
    int k = n;
    while (k --> 1) nodes[k - 1].next = nodes + k;
    Node* at = nodes;
    while (at->next) at = at->next;
    std::cout << at->value << ' ' << n << std::endl;
}
