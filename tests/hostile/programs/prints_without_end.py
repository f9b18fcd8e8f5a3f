# Tries: prints without end
# Comes to: bounded like any file, and ended by the CPU limit
# Verdict: legal_inputs/cpu_limit
while True:
    print("x")
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
