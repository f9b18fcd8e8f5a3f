n = int(input())
best = 0
for i in range(n):
    if i == n - 1:
        best = i * i
print(best)
