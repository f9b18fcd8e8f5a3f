n = int(input())
table = [1000000000] * 40
for i in range(n):
    table[i] -= i * i
print(sum(table))
