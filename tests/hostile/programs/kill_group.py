# Tries: kills its own process group
# Comes to: refused on sight; the group is its own alone
# Verdict: source/reaches_for_other_processes
import os, signal
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
os.killpg(0, signal.SIGKILL)
