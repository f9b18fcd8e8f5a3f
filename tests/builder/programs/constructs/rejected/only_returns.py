def first(n):
    total = 0
    for i in range(1000):
        total += i * i
        if i == n:
            return total
    return 0


print(first(int(input())))
