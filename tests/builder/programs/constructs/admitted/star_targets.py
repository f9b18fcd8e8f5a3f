n = int(input())
rows = [(i, 2 * i, 3 * i, i * i) for i in range(n)]
ends, middle = 0, []
for first, *rest, last in rows:
    (one, *_), middle = (first + last,), [*rest]
    ends += one
print(ends, middle)
