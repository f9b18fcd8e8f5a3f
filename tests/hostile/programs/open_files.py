# Tries: uses whatever files were left open to it
# Comes to: there are three, and they are its own
# Verdict: source/depends_on_its_surroundings
# Shows: ['0', '1', '2', '3']
import os
for number in range(3, 64):
    try:
        os.write(number, b"x")
        print("wrote to", number)
    except OSError:
        pass
print(sorted(os.listdir("/proc/self/fd")))
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
