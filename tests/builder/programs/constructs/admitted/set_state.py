n = int(input())
seen = set()
last = frozenset()
cells = set()
for i in range(n):
    seen.add(i * i % 97)
    last = frozenset({i, i - 1})
    cells |= {(i % 3, i // 10)}
print(len(seen), sum(last), len(cells))
