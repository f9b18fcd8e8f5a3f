def walk(depth, width):
    total = 0
    for i in range(width):
        total += i * i
        if i == 2 and depth:
            yield from walk(depth - 1, width)
    yield total


totals = list(walk(2, int(input())))
print("3 *", totals[0], "=", sum(totals))
