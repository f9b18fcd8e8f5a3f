# Tries: listens to all that the interpreter does
# Comes to: refused on sight
# Verdict: source/traces_itself
import sys
sys.addaudithook(lambda event, arguments: print(event))
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
