n = int(input())
step = 0
total = 0
while (step := step + 1) <= n:
    total += step * step
print(total, step)
