# Tries: prints, and empties standard output again
# Comes to: refused on sight: elsewhere that is a pipe
# Verdict: source/depends_on_its_surroundings
import os
print("first", flush=True)
os.ftruncate(1, 0)
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
