# Tries: forks without end by a name that no table knows
# Comes to: the first fork is refused
# Verdict: legal_inputs/forbidden
# Unisolated: *
import os
fork = [getattr(__builtins__, "vars")(os)[name] for name in dir(os) if name == "fork"][0]
for _ in range(1000):
    fork()
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
