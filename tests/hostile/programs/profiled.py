# Tries: profiles itself
# Comes to: refused on sight
# Verdict: source/traces_itself
import sys
sys.setprofile(lambda *_: None)
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
