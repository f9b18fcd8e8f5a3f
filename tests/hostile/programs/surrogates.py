# Tries: prints a lone surrogate
# Comes to: its own error
# Verdict: legal_inputs/runtime_error
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
print("\ud800")
