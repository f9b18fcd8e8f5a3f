n = int(input())
total = 0
for i in range(n):
    for j in range(3):
        total += i * j
print("total", total)
