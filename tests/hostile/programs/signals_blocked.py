# Tries: blocks every signal and sleeps
# Comes to: ended by the wall clock
# Verdict: legal_inputs/wall_limit
# Wall: 0.7
import signal, time
signal.pthread_sigmask(signal.SIG_SETMASK, signal.valid_signals())
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
time.sleep(1000)
