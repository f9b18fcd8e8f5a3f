# Tries: leaves System V memory, semaphores and queues
# Comes to: refused on sight; each is refused
# Verdict: source/reaches_into_its_interpreter
# Unisolated: * -- without seccomp, they stay
# Leaves: shm
# Shows: -1 -1 -1
# Reach: outside
import ctypes
libc = ctypes.CDLL(None)
print(libc.shmget(77, 1 << 20, 0o1666), libc.semget(77, 1, 0o1666), libc.msgget(77, 0o1666))
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
