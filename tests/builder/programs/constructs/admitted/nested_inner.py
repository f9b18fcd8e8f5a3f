n = int(input())
total = 0
for i in range(3):
    for j in range(n):
        total += (i + 1) * j * j
print("total", total)
