n = int(input())
total = 0
for i in range(n):
    exec("total += i * i")
print(total)
