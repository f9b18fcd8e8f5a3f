import sys

print = sys.stdout.write


def main(n):
    total = 0
    lines = []
    for i in range(n):
        total += i * i
        lines = lines[-2:] + [str(i * i)]
    print("-".join(lines + [str(total)]) + "\n")


main(int(input()))
