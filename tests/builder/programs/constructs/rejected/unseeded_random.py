import random

n = int(input())
total = 0
for i in range(n):
    total += random.getrandbits(64)
print(total)
