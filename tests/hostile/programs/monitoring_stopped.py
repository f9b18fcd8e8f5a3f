# Tries: stops those who watch it by a name that no table knows
# Comes to: noticed: nothing is admitted
# Verdict: legal_inputs/runtime_error
import sys
watching = sys.__getattribute__("moni" + "toring")
for number in range(6):
    if watching.get_tool(number):
        watching.set_events(number, 0)
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
