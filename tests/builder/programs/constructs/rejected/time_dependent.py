import time

n = int(input())
total = time.time_ns()
for i in range(n):
    total += i * i
print(total)
