# Tries: leaves a grandchild in a session of its own that outlives its parents
# Comes to: refused on sight; where it can fork, the grandchild is killed
# Verdict: source/reaches_for_other_processes
import os, time
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(60)
        open("late", "w").close()
    os._exit(0)
