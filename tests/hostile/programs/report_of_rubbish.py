# Tries: leaves a report that no parser survives, and ends at once
# Comes to: it is no report
# Verdict: legal_inputs/left_early
import os
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
for name in ("report", "report.json", "report.sealed"):
    with open(name, "w") as file:
        file.write("[" * 200_000)
import sys
sys.stdout.flush()
os._exit(0)
