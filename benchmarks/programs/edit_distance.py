"""The edit distance of two random words, by the table of their prefixes."""


def letters(count: int) -> str:
    state, found = 99, []
    for _ in range(count):
        state = (state * 1103515245 + 12345) % 2147483648
        found.append("abcd"[(state >> 16) % 4])
    return "".join(found)


def distance(one: str, other: str) -> int:
    rows, columns = len(one), len(other)
    table = [[0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows + 1):
        table[i][0] = i
    for j in range(columns + 1):
        table[0][j] = j
    for i in range(1, rows + 1):
        for j in range(1, columns + 1):
            if one[i - 1] == other[j - 1]:
                table[i][j] = table[i - 1][j - 1]
            else:
                table[i][j] = 1 + min(table[i - 1][j], table[i][j - 1], table[i - 1][j - 1])
    return table[rows][columns]


text = letters(2200)
print(distance(text[:1100], text[1100:]))
