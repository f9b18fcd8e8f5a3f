def climb(n):
    x, steps = 1, 0
    while True:
        steps += 1
        x += steps
        if steps >= n: break
    return x, steps


print(*climb(int(input())))
