n = int(input())
total = 0
for i in range(n):
    if (square := i * i) % 2:
        total += square
    else:
        total -= 1
print("sum", total)
