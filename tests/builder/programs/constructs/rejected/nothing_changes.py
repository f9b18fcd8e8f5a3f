n = int(input())
low = 0
for i in range(n):
    low = min(low, i)
print(low, n)
