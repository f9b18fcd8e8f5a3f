def total(n):
    return n and n + total(n - 1)


print(total(int(input())))
