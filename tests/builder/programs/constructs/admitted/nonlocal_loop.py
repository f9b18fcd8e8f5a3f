def outer(n):
    total = 0

    def inner():
        nonlocal total
        for i in range(n):
            total += i * i

    inner()
    return total


print(f"{outer(int(input()))}!")
