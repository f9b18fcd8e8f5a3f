n = int(input())
by = 3
steps = [lambda x: x * 2, lambda x, y=1: x + y * by]
total = 0
for i in range(n):
    total += steps[i % 2](i)
print("total", total)
