import sys

readline = sys.stdin.readline
number = lambda: int(readline())


def numbers():
    return number(), 0


n, _ = numbers()
total = 0
for i in range(2 * n):
    if i < n:
        total += sum(numbers())
print(total)
