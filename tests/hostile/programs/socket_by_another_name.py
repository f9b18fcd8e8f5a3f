# Tries: makes a socket by a module that it names at run time
# Comes to: refused on sight: who computes names hides something
# Verdict: source/computes_the_names_of_what_it_uses
module = __import__("_so" + "cket")
module.socket(2, 1)
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
