# Tries: writes its own memory by file
# Comes to: refused on sight
# Verdict: source/depends_on_its_surroundings
with open("/proc/self/mem", "r+b") as memory:
    memory.seek(4096)
    memory.write(b"x")
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
