# Tries: handles every signal and goes on
# Comes to: the CPU limit needs no signal that it can handle
# Verdict: legal_inputs/cpu_limit
import signal
for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, lambda *_: None)
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
