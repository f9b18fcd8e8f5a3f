# Tries: reads and writes the memory of other processes
# Comes to: refused on sight; nothing opens
# Verdict: source/depends_on_its_surroundings
# Reach: outside
import os
for pid in (1, os.getppid()):
    for name in ("mem", "environ", "fd/0", "maps", "cwd"):
        try:
            with open(f"/proc/{pid}/{name}", "r+b" if name == "mem" else "rb") as file:
                print("opened", name, len(file.read(10)))
        except OSError:
            pass
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
