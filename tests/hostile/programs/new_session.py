# Tries: leaves its session and group, and makes others
# Comes to: refused on sight; nothing hangs on its group
# Verdict: source/reaches_for_other_processes
import os
try:
    os.setsid()
except OSError:
    os.setpgid(0, 0)
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
