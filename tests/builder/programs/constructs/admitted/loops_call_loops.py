def outer(n):
    total = 0
    for i in range(n):
        total += inner(i)
    return total


def inner(i):
    total = 0
    j = 0
    while j < i:
        j += 1
        total += i
    return total


n = int(input())
print(outer(n), "+", sum(map(inner, range(n))))
