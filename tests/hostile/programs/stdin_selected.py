# Tries: reads standard input selected
# Comes to: measured as it is
# Verdict: admitted
import select, sys
select.select([sys.stdin], [], [])
n = int(sys.stdin.readline())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
