# Tries: asks a shell to print
# Comes to: refused on sight
# Verdict: source/reaches_for_other_processes
import os
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
os.system("echo from a shell; sleep 60 &")
