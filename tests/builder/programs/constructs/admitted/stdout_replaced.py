import io
import sys

real, sys.stdout = sys.stdout, io.StringIO()
n = int(input())
total = 0
for i in range(n):
    total += i * i
    print(total)
written, sys.stdout = sys.stdout.getvalue(), real
print(total, "of", len(written))
