# Tries: puts another function in the place of sys.exit
# Comes to: measured as it is
# Verdict: admitted
import sys
sys.exit = print
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
