# Tries: prints something else where it cannot fork
# Comes to: refused on sight: its output would be the sandbox's
# Verdict: source/reaches_for_other_processes
import os
try:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    extra = 5
except OSError:
    extra = 7
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
print(extra)
