import sys

tokens = iter(sys.stdin.read().split())


def number():
    return int(next(tokens))


n = number()
total = 0
for _ in range(n):
    x = number()
    total += x * x
print("sum", total)
