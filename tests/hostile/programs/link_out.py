# Tries: writes through links that lead out of its folder
# Comes to: nothing outside is written
# Verdict: legal_inputs/forbidden
# Unisolated: * -- without a layer on writes, it may
# Leaves: deskcheck-hostile
# Reach: outside
import os
os.symlink("/", "root")
os.symlink("..", "up")
for path in ("up/stdout", "up/stdin", "up/new", "root/tmp/deskcheck-hostile"):
    with open(path, "a") as file:
        file.write("x")
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
