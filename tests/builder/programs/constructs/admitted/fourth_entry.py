def scan(size, stop):
    total = 0
    for i in range(size):
        if i == stop:
            return -total
        total += i * i
    return total


n = int(input())
print(scan(n, n - 1), scan(n, n - 1), scan(n, n - 1), scan(n - 2, n))
