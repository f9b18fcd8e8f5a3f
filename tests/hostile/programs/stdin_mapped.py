# Tries: reads standard input mapped
# Comes to: measured as it is
# Verdict: admitted
import mmap
with mmap.mmap(0, 0, access=mmap.ACCESS_READ) as data:
    n = int(data.readline())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
