# Tries: makes children that nobody collects
# Comes to: refused on sight
# Verdict: source/reaches_for_other_processes
import os
for _ in range(30):
    if os.fork() == 0:
        os._exit(0)
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
