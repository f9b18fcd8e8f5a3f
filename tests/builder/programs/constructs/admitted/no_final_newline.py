n = int(input())
total = 0
for i in range(n):
    total += i * i
    if i == n - 1: print(f"{total}?")