# Tries: looks for what watches it in its command line
# Comes to: refused on sight
# Verdict: source/depends_on_its_surroundings
import sys
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
print(len(sys.orig_argv))
