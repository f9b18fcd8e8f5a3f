def walk(level, n):
    total = level
    for i in range(level * n):
        if i == 0 and level < 3:
            total += walk(level + 1, n)
        total += i
    return total


print("1 + 2 + 3 and more:", walk(1, int(input())))
