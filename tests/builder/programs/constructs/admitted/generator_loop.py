def squares(n):
    total = 0
    for i in range(n):
        total += i * i
        yield total


print(sum(squares(int(input()))))
