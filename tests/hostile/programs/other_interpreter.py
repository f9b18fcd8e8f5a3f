# Tries: becomes another interpreter
# Comes to: refused on sight
# Verdict: source/reaches_for_other_processes
import os, sys
os.execv("/bin/sh", ["sh", "-c", "read n; echo $n"])
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
