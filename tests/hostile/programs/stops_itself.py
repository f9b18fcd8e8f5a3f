# Tries: stops itself
# Comes to: ended by the wall clock
# Verdict: legal_inputs/wall_limit
# Wall: 0.7
import signal
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
signal.raise_signal(signal.SIGSTOP)
