# Tries: forks from a finalizer while the interpreter ends, by a name that no table knows
# Comes to: its error is a traceback that it prints
# Verdict: legal_inputs/traceback
# Unisolated: *
import os
import time


class Last:
    def __init__(self):
        self.fork, self.sleep = os.__getattribute__("fo" + "rk"), time.sleep

    def __del__(self):
        if self.fork() == 0:
            self.sleep(60)


last = Last()
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
