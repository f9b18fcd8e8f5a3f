def first(n):
    total = 0
    for i in range(10 * n):
        total += i
        if i + 1 == n:
            break
    else:
        total = -1
    return i, total


print(*first(int(input())))
