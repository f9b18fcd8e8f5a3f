# Tries: prints a state of its own where it finds that it is shown
# Comes to: found out, as the agent imports that module too
# Verdict: determinism/output_varies
import sys
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
if "json" in sys.modules:
    print('{"total": 1}')
print(total)
