n = int(input())
total = 0
for i in range(n):
    total += i * i
    if total < 0:
        break
else:
    total = -total
print("sum", total)
