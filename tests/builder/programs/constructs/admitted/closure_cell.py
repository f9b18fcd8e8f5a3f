def count(n):
    total = 0
    last = 0

    def add(amount):
        nonlocal total, last
        total += amount
        last = amount

    for i in range(n):
        add(i * i)
    return f"20 - {total} - {last}"


print(count(int(input())))
