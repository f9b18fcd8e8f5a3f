// Größte Summe — 最大の和 🙂 for (;;) { }
#include <iostream>
#include <string>

int main() {
    int n, größe = 0; /* ü */ std::string αβ = "";
    std::cin >> n;
    /* 和 */ for (int i = 0; i < n; i++) { /* λ */ größe = (größe * 5 + i) % 613; αβ += char('k' + größe % 9); }
    std::cout << "größte " << größe << " · " << αβ << std::endl; // fertig ✓
}
