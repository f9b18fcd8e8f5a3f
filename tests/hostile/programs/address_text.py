# Tries: prints an address by its representation
# Comes to: found out, as addresses differ
# Verdict: determinism/output_varies
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
print(object())
