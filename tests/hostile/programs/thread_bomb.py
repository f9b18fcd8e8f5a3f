# Tries: starts threads without end
# Comes to: bounded by their number or their stacks
# Verdict: legal_inputs/runtime_error
import threading
hold = threading.Event()
while True:
    threading.Thread(target=hold.wait, daemon=True).start()
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
