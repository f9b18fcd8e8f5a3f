# Tries: nests folders without end
# Comes to: ended by the room on disk
# Verdict: legal_inputs/output_limit
import os
while True:
    os.mkdir("d")
    os.chdir("d")
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
