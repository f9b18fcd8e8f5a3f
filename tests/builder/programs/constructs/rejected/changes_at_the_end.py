n = int(input())
low = n
for i in range(n):
    low = min(low, n - i, n // 2 if i == n - 1 else n)
    low = n if i < n - 1 else low
print(low)
