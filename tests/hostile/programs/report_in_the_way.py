# Tries: makes a pipe where the report shall be
# Comes to: ended by the wall clock, as a measured run that never ends
# Verdict: legal_inputs/wall_limit
# Wall: 1.5
import os
os.mkfifo("report.sealed")
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
