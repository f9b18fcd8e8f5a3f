import sys


def main():
    n = int(sys.stdin.readline())
    total = 0
    for i in range(n):
        total += i * i
    print("sum", total)
    sys.exit()


main()
