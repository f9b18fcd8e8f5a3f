def main(n):
    squares, cells, named, mixed = {}, {}, {}, {}
    for i in range(n):
        squares[i % 6] = squares.get(i % 6, (i % 6) ** 2) + 1
        cells[i % 5, i % 5 % 2] = cells.get((i % 5, i % 5 % 2), 0) + 3
        name = "odd" if i % 2 else "even"
        named[name] = named.setdefault(name, 0) + i
        mixed |= {None: i, "x": i * i, 3: i % 3 == 0}
    print(squares, cells[0, 0], named["odd"], mixed["x"])


main(int(input()))
