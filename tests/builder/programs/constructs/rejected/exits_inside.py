import sys

n = int(input())
total = 0
while True:
    total += n * n
    n -= 1
    if n == 0:
        print(total)
        sys.exit()
