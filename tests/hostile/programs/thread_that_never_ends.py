# Tries: leaves a thread that the interpreter waits for
# Comes to: ended by the wall clock
# Verdict: legal_inputs/wall_limit
# Wall: 0.7
import threading
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
threading.Thread(target=threading.Event().wait).start()
