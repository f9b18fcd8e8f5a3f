n = int(input())
x = 1
steps = 0
while True:
    if steps == n:
        break
    steps += 1
    x += steps
print(x, steps)
