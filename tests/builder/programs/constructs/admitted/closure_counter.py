def counter():
    total = 0

    def add(amount):
        nonlocal total
        total += amount
        return total

    return add


n = int(input())
add = counter()
seen = 0
for i in range(n):
    seen = max(seen, add(i))
print(seen, "of", n)
