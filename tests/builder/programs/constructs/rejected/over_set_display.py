n = int(input())
total = 0
for i in {i * i for i in range(n)}:
    total += i
print(total)
