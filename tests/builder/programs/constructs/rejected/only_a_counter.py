n = int(input())
count = 0
for i in range(n):
    count += 2
print(count)
