n = int(input())
total = 0
for n in range(n):
    total += n * n
print("sum", total, n)
