# Tries: sets the kernel's parameters
# Comes to: refused on sight; they cannot be written
# Verdict: source/depends_on_its_surroundings
# Reach: outside
for name in ("kernel/hostname", "kernel/randomize_va_space", "vm/swappiness"):
    path = f"/proc/sys/{name}"
    with open(path) as file:
        value = file.read()
    try:
        with open(path, "w") as file:
            file.write(value)
        print("wrote", name)
    except OSError:
        print("refused")
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
