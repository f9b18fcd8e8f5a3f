# Tries: prints by number, past its stream
# Comes to: measured as it is
# Verdict: admitted
import os
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
os.write(1, b"%d\n" % total)
os.close(1)
