# Tries: prints its environment
# Comes to: refused on sight
# Verdict: source/depends_on_its_surroundings
import os.path
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
print(len(os.environ))
