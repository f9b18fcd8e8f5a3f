n = int(input())
m = int(input())
total = 0
for i in range(n):
    total += i * m
print(total)
