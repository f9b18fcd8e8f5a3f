n = int(input())
total = 0
for i in range(n // 2):
    total += i * i
print("half")
whole = 0
for i in range(n):
    whole += i * i
print(total, whole)
