# Tries: backtracks without end
# Comes to: ended by the CPU limit
# Verdict: legal_inputs/cpu_limit
import re
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
re.match(r"(a+)+$", "a" * 60 + "b")
