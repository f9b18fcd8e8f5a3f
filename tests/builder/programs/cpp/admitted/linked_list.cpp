#include <cstdio>
#include <cstdlib>

struct Node {
    int value;
    Node* next;
};

int main() {
    int n;
    scanf("%d", &n);
    Node* nodes = new Node[n];
    for (int i = n; i-- > 0;) nodes[i].value = i * i % 13, nodes[i].next = i + 3 < n ? &nodes[i + 3] : i % 3 < 2 ? &nodes[i % 3 + 1] : nullptr;
    long sum = 0;
    int most = 0;
    Node* at = &nodes[0];
    while (at != nullptr) {
        sum = sum * 2 % 911 + at->value;
        if (at->value > most) most = at->value;
        at = at->next;
    }
    printf("%ld %d\n", sum, most);
    delete[] nodes;
}
