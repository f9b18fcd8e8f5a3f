n = int(input())
total = 0
for i in range(n):
    for j in range(1000):
        total += i * j
print(total)
