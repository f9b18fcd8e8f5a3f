# Tries: makes files without end
# Comes to: ended by the room on disk
# Verdict: legal_inputs/output_limit
# Cpu: 8
from itertools import count
for number in count():
    open(str(number), "w").close()
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
