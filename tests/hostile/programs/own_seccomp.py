# Tries: filters its own system calls so that its parent waits for them
# Comes to: refused on sight; nobody waits
# Verdict: source/reaches_into_its_interpreter
import ctypes
libc = ctypes.CDLL(None)
libc.prctl(38, 1, 0, 0, 0)
print(libc.prctl(22, 1, 0, 0, 0))
while True:
    pass
