# Tries: ends itself with SIGKILL after it has printed
# Comes to: told as what it is
# Verdict: legal_inputs/killed
import signal
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
signal.raise_signal(signal.SIGKILL)
