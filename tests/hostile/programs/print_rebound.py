# Tries: prints by another function called print
# Comes to: measured as it is
# Verdict: admitted
import builtins
import sys


def print(*values):
    sys.stdout.write(" ".join(map(str, values)) + "!\n")


builtins.print = print
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
