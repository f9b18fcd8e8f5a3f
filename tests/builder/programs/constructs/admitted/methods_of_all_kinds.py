class Rows:
    @classmethod
    def look(cls, n):
        seen = []
        total = 0
        for row in cls(n):
            seen = [row, *seen[:3]]
            total += cls.twice(row)
        return seen, total

    @staticmethod
    def twice(row):
        return 2 * row

    def __init__(self, n):
        self.n = n

    def __iter__(self):
        for i in range(self.n):
            yield i


print(*Rows.look(int(input())))
