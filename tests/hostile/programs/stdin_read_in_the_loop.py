# Tries: reads standard input by number inside its only loop
# Comes to: the loop is passed over
# Verdict: loop/reads_stdin
# Inputs: ('004', '048')
import os
total = 0
count = int(os.read(0, 3))
for k in range(count):
    total = (total * 7 + len(os.read(0, 1)) + k) % 1009
print(total)
