# Tries: ends its process at once, past the agent
# Comes to: what was not measured is missing
# Verdict: legal_inputs/left_early
import os
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
print(end="", flush=True)
os._exit(0)
