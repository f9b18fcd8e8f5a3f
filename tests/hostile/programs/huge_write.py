# Tries: writes 100 MB at once
# Comes to: cut at the limit
# Verdict: legal_inputs/output_limit
import os
os.write(1, b"x" * 100_000_000)
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
