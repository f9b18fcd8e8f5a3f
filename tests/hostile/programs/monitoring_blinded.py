# Tries: puts another callback in the place of the one that counts
# Comes to: noticed: nothing is admitted
# Verdict: legal_inputs/runtime_error
import sys
watching = sys.__getattribute__("moni" + "toring")
for number in range(6):
    if watching.get_tool(number):
        watching.register_callback(number, watching.events.INSTRUCTION, lambda *_: None)
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
