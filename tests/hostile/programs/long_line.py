# Tries: prints ten megabytes on one line
# Comes to: longer than any answer may be
# Verdict: legal_inputs/output_too_long
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
print("x" * 10_000_000)
