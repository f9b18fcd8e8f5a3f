# Tries: overruns the stack inside the interpreter
# Comes to: ended by a signal or its own error
# Verdict: !admitted
import sys
sys.setrecursionlimit(10 ** 9)
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
nested = []
for _ in range(2_000_000):
    nested = [nested]
print(len(repr(nested)))
