# Tries: forks from a function that runs at the end
# Comes to: refused on sight
# Verdict: source/reaches_for_other_processes
import atexit, os, time
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
atexit.register(lambda: os.fork() or time.sleep(60))
