# Tries: prints the order of two texts, which half of all seeds share
# Comes to: found out under more hash seeds
# Verdict: determinism/output_varies
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
print(min({"left", "right"}, key=lambda text: 0))
