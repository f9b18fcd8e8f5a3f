# Tries: collects a product that never ends
# Comes to: ended by a limit on memory or CPU
# Verdict: legal_inputs/memory_limit
# Cpu: 6
from itertools import product
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
print(len(list(product(range(99), repeat=9))))
