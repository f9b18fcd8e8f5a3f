# Tries: kills every process that it may
# Comes to: refused on sight
# Verdict: source/reaches_for_other_processes
# Unisolated: * -- with its own user's rights and no layer, it reaches the sandbox itself
import os, signal
os.kill(-1, signal.SIGKILL)
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
