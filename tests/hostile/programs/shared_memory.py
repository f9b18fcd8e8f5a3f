# Tries: leaves shared memory
# Comes to: refused on sight
# Verdict: source/reaches_for_other_processes
# Unisolated: * -- without a layer on writes, it stays in /dev/shm
# Leaves: deskcheck-hostile
# Reach: outside
from multiprocessing import shared_memory
block = shared_memory.SharedMemory(name="deskcheck-hostile", create=True, size=1 << 20)
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
