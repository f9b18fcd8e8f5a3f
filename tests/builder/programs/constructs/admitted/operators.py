class Vector:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __matmul__(self, other):
        return self.x * other.x + self.y * other.y

    def __imatmul__(self, other):
        self.x += 2 * other.x
        self.y += other.y
        return self


def main(n):
    vector = Vector(0, 0)
    bits = 0
    for i in range(n):
        vector @= Vector(i, 1)
        step = Vector(i, 0) @ Vector(1, 5)  # i
        step <<= 1
        step >>= 1
        step |= 0
        step &= ~0
        step ^= i ^ i
        step += (i << 1 >> 1) & -1 | 0
        step -= i % 1 + 0**1
        step *= 1
        step //= 1
        step %= 1000
        step **= 1
        step += 1 if not i & 1 and i is not None or i in () else 0
        step += +0 if i not in (1, 2) else -0
        step = int(step / 1) if step != -1 and step >= 0 and step > -1 else step
        halves = 1.0
        halves /= 2
        bits += step if halves == 0.5 and halves <= 1 and n is n else 0
    print(vector.x, vector.y, bits)


main(int(input()))
