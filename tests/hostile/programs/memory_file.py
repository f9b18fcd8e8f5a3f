# Tries: keeps what no folder shows in a file of memory
# Comes to: refused on sight
# Verdict: source/depends_on_its_surroundings
import os
file = os.memfd_create("hidden")
for _ in range(100):
    os.write(file, b"x" * 1_000_000)
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
