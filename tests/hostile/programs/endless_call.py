# Tries: calls something in C that never returns
# Comes to: ended by the CPU limit
# Verdict: legal_inputs/cpu_limit
from itertools import product
n = int(input())
list(x for x in product(range(99), repeat=9) if not x)
print(n)
