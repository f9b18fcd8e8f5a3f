n = int(input())
numbers = range(n)
total = 0
for x in *numbers, n, n + 1:
    total += x * x
print("sum", total)
