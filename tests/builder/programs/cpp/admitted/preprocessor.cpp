#include <iostream>
#include <string>
// for (;;) while (true) do
/* while (1) {
*/
#if 0
for (int i = 0; i < n; i++) { x++; }
#endif
#ifdef LOCAL
#define debug(x) for (auto y : x) std::cerr << y
#else
#define debug(x)
#endif
#define STEP(x) \
    x = (x * 5 + 3) \
        % 509
#define STR2(x) #x
#define STR(x) STR2(x)

int main() {
    int n, x = 1'0;
    std::string text = "while (x) { // ", raw = R"(for (int i = 0;;) " /* )";
    std::cin >> n;
    debug(text);
    for (int i = 0; i < n; i++ /* ; */) { // for
        STEP(x); /* } */
        if (x % 9 == 0) text += '}';
        else if (x % 7 == 0) text += "{\"for\"";
    }
    std::cout << x << ' ' << text.size() + raw.size() << STR(do {} while (0)) << std::endl;
}
