# Tries: prints NUL, carriage returns and a byte-order mark
# Comes to: bytes are kept as they are
# Verdict: admitted
import sys
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
sys.stdout.write("\0 \r\n \ufeff \x1b[2J " + str(total))
