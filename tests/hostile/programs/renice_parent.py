# Tries: makes its parent and all of its user's processes slow
# Comes to: refused on sight; each call is refused
# Verdict: source/depends_on_its_surroundings
# Reach: outside
import os
parent = os.getppid()
for action in (
    lambda: os.setpriority(os.PRIO_USER, 0, 19),
    lambda: os.setpriority(os.PRIO_PROCESS, parent, 19),
    lambda: os.sched_setaffinity(parent, [0]),
    lambda: os.sched_setscheduler(parent, 5, os.sched_param(0)),
):
    try:
        action()
        print("did")
    except OSError:
        print("refused")
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
