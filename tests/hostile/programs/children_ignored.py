# Tries: ignores SIGCHLD and leaves children that hold its streams open
# Comes to: refused on sight; the run ends when its first process does
# Verdict: source/reaches_for_other_processes
import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
for _ in range(3):
    if os.fork() == 0:
        while True:
            time.sleep(1)
            print("late", flush=True)
