from fractions import Fraction

n = int(input())
kinds = [1, None, [1, 2], [1, 2, 3, 4], {"x": 3}, Fraction(1, 2), "b", 3.5]
items = [kinds[i % 8] for i in range(n)]
counts = {}
tail = 0
for i, item in enumerate(items):
    match item:
        case 1:
            kind = "value"
        case None:
            kind = "none"
        case [_, _]:
            kind = "pair"
        case [1, *rest] if len(rest) == 3:
            kind = "many"
            tail += rest[-1] // 4
        case {"x": 3, **others}:
            kind = "mapping"
        case Fraction(numerator=1) as half:
            kind = "object"
        case "a" | "b":
            kind = "either"
        case _:
            kind = "other"
    counts[kind] = counts.get(kind, 0) + 1
print(*counts, tail, len(counts))
