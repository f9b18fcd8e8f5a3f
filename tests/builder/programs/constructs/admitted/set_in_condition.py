n = int(input())
even = set(range(0, 2 * n, 2))
total = 0
for x in [x for x in range(2 * n) if x not in even]:
    total += x * x
print("sum", total)
