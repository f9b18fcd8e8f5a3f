# Tries: hides large files at the end of a path too long to name
# Comes to: found, and ended by the room on disk
# Verdict: legal_inputs/output_limit
# Cpu: 6
import os
for _ in range(45):
    os.mkdir("d" * 100)
    os.chdir("d" * 100)
for number in range(20):
    with open(str(number), "wb") as file:
        file.write(b"x" * 8_000_000)
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
