# Tries: closes standard output after its loop
# Comes to: measured as it is; what was printed is printed
# Verdict: admitted
import sys
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
sys.stdout.close()
