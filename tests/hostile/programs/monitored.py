# Tries: monitors itself
# Comes to: refused on sight
# Verdict: source/traces_itself
import sys
sys.monitoring.use_tool_id(2, "mine")
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
