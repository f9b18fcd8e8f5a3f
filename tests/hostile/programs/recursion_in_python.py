# Tries: recurses without end under a raised limit
# Comes to: ended by a limit on memory, or a signal
# Verdict: !admitted
import sys
sys.setrecursionlimit(10 ** 9)
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)


def deeper(n):
    return deeper(n + 1) + 1


print(deeper(0))
