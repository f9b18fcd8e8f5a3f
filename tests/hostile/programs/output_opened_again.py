# Tries: opens standard output again to empty it
# Comes to: where it is a file that works, so it is refused by its verdict or harmless
# Verdict: admitted
import sys
print("first", flush=True)
with open(1, "w", closefd=False) as again:
    again.write("second\n")
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
