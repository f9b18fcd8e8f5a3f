# Tries: writes to standard error without end
# Comes to: cut at the limit
# Verdict: legal_inputs/output_limit
import sys
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
while True:
    sys.stderr.write("x" * 10_000)
