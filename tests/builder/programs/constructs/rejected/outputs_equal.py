n = int(input())
total = 0
for i in range(n):
    total += i * i
print("positive" if total > 0 else "zero")
