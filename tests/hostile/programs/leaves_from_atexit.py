# Tries: ends its process from a function that runs at the end
# Comes to: what was not measured is missing
# Verdict: legal_inputs/left_early
import atexit, os, sys
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
atexit.register(lambda: (sys.stdout.flush(), os._exit(0)))
