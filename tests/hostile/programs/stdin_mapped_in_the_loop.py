# Tries: reads standard input by its mapped memory inside its only loop
# Comes to: nothing is consumed by that, so it is measured as it is
# Verdict: admitted
# Inputs: ('004', '048')
import mmap
data = mmap.mmap(0, 0, access=mmap.ACCESS_READ)
n = int(data[:3])
total = 0
for k in range(n):
    total = (total * 7 + data[k % 3]) % 1009
print(total)
