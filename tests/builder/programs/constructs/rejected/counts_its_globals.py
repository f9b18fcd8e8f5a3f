n = int(input())
total = 0
for i in range(n):
    total += i * i
print(total, len([name for name in globals() if name[0] != "_"]))
