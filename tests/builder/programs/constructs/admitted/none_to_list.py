n = int(input())
i = 0
row = None
while i < n:
    row = [i, i * i]
    i += 1
print(i, row)
