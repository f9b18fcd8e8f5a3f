import sys

input = sys.stdin.readline

n = int(input())
numbers = list(map(int, input().split()))
total = high = 0
for x in numbers:
    total += x * x
    if x % 2 == 0:
        high = x
print(total, high)
