# Tries: prints something else in time
# Comes to: refused on sight
# Verdict: source/reads_the_clock
import time
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
print(int(time.time()) % 2)
