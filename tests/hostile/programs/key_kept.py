# Tries: looks for the key of its own report
# Comes to: it is gone before the program starts
# Verdict: admitted
import glob
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
print(sorted(glob.glob("*")))
