def rows(n):
    total = 0
    for i in range(3):
        for j in range(n - 10 + 5 * i):
            total += j
    return total


print("0 +", rows(int(input())))
