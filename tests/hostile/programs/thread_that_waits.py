# Tries: prints from a thread after the last line has run
# Comes to: the interpreter waits for it, measured or not
# Verdict: admitted
import threading, time
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)


def late(total):
    time.sleep(0.05)
    print("late", total)


threading.Thread(target=late, args=(total,)).start()
