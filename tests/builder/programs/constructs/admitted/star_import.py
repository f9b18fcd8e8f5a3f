from math import *

n = int(input())
roots, total = set(), 0
for i in range(n):
    roots.add(isqrt(i))
    total += floor(i / 2)
print(len(roots), total)
