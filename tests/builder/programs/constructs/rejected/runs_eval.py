n = int(input())
total = 0
for i in range(n):
    total += eval("i * i")
print(total)
