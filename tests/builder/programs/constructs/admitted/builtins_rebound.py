from collections import deque


def next(value):
    return value + 1


def sorted(values):
    raise ValueError("not today")


round = vars = sorted
n = int(input())
sum = 0
list = deque(maxlen=3)
seen = set()
half = 0.0
for i in range(n):
    sum += i * i
    list.append(i * 3 % 7)
    seen.add(i * 3 % 41)
    half += i / 2
print(sum, [*list], half, next(0))
