# Tries: reads where there is no memory
# Comes to: refused on sight; ended by the signal
# Verdict: source/reaches_into_its_interpreter
import ctypes
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
ctypes.string_at(0)
