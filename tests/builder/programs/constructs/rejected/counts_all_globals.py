n = int(input())
total = 0
for i in range(n):
    total += i * i
print(total, len(globals()))
