# Tries: prints a set in its own order
# Comes to: found out under other hash seeds
# Verdict: determinism/output_varies
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
print(*set("abcdefgh"))
