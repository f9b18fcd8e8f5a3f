# Tries: prints bytes that are no UTF-8
# Comes to: no model could be asked for that
# Verdict: legal_inputs/output_not_utf8
import sys
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
sys.stdout.flush()
sys.stdout.buffer.write(b"\xff\xfe")
