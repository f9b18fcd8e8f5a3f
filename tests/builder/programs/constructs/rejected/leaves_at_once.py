import os

n = int(input())
total = 0
for i in range(n):
    total += i * i
print(total, flush=True)
os._exit(0)
