n = int(input())
left = right = []
copy = left[:]
for i in range(n):
    right.append(i * i % 11)
    copy = [*left[-2:], i]
print(len(left), len(right), copy)
