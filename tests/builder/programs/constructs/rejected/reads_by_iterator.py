import sys

numbers = map(int, sys.stdin)
total = 0
for number in numbers:
    total += number
print(total)
