# Tries: prints what follows from addresses
# Comes to: refused on sight
# Verdict: source/depends_on_its_surroundings
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
print(id(object()) % 4096)
