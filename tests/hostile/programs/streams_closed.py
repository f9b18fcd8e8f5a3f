# Tries: closes all of its streams by number before it prints
# Comes to: it prints nothing
# Verdict: legal_inputs/no_output
import os
n = int(input())
os.close(0)
os.close(1)
os.close(2)
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
try:
    print(total, flush=True)
except OSError:
    os._exit(0)
