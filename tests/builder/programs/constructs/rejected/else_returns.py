def squares(n):
    total = 0
    for i in range(n):
        total += i * i
        if total < 0:
            break
    else:
        return total
    return 0


print(squares(int(input())))
