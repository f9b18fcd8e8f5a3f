# Tries: has a thread print after the end
# Comes to: a daemon is cut off somewhere, so its output varies or is flooded
# Verdict: !admitted
import threading
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)


def late():
    while True:
        print("late", flush=True)


threading.Thread(target=late, daemon=True).start()
