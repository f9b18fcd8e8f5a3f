# Tries: forks without end
# Comes to: refused on sight; run all the same, its first fork is refused
# Verdict: source/reaches_for_other_processes
import os
while True:
    os.fork()
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
