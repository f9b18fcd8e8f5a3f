# Tries: waits for what never comes
# Comes to: ended by the wall clock
# Verdict: legal_inputs/wall_limit
# Wall: 0.7
import os
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
os.mkfifo("pipe")
open("pipe").read()
