# Tries: looks at its command line by a name that no table knows
# Comes to: it is as it would be without us
# Verdict: admitted
import sys
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
print(sys.__getattribute__("orig_" + "argv")[1:])
