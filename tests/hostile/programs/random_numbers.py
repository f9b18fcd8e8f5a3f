# Tries: prints a random number
# Comes to: found out by running it again
# Verdict: determinism/output_varies
import random
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
print(random.random())
