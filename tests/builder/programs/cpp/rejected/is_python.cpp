n = int(input())
x = 1
for i in range(n):
    x = x * 3 % 101
print(x)
