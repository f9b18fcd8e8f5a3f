def check(n):
    total = 0
    try:
        for i in range(3 * n):
            if i == n:
                raise ValueError(f"{i} not divisible")
    except ValueError as error:
        for i in range(n):
            total += i * i
        return f"{error} {total}"


print(check(int(input())))
