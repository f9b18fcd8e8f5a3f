# Tries: is ended by its own alarm
# Comes to: refused on sight: it is a clock
# Verdict: source/reads_the_clock
import signal
signal.alarm(1)
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
