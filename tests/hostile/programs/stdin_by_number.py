# Tries: reads standard input by number
# Comes to: measured as it is
# Verdict: admitted
import os
n = int(os.read(0, 1000))
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
