# Tries: hides large files in a folder that cannot be listed
# Comes to: found, and ended by the room on disk
# Verdict: legal_inputs/output_limit
# Cpu: 6
import os
os.mkdir("shut", 0o300)
for number in range(20):
    with open(f"shut/{number}", "wb") as file:
        file.write(b"x" * 8_000_000)
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
