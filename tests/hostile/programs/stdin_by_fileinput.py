# Tries: reads standard input by fileinput
# Comes to: measured as it is
# Verdict: admitted
import fileinput
n = int("".join(fileinput.input()))
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
