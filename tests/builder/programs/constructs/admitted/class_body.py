n = int(input())


class Squares:
    table = []
    for i in range(n):
        table.append(i * i % 7)

    @property
    def total(self):
        return sum(self.table)


print(Squares.table, Squares().total)
