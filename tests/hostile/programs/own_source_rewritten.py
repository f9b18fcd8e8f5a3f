# Tries: rewrites its own source
# Comes to: each run has a fresh one; measured as it is
# Verdict: admitted
with open("program.py", "w") as file:
    file.write("print('taken over')\n")
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
