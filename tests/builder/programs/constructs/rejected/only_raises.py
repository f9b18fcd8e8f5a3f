def squares(n):
    total = 0
    try:
        for i in range(n + 5):
            total += i * i // (n - i)
    except ZeroDivisionError:
        return total


print(squares(int(input())))
