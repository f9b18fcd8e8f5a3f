n = int(input())
total = 0
for i in range(n):
    if (square := i * i) % 2:
        total += square
print("sum", total)
