# Tries: starts a pool of processes
# Comes to: refused on sight
# Verdict: source/reaches_for_other_processes
from multiprocessing import Pool
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
with Pool(4) as pool:
    print(sum(pool.map(abs, range(9))))
