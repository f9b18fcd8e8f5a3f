# Tries: takes memory without end
# Comes to: ended by its own error
# Verdict: legal_inputs/memory_limit
kept = []
while True:
    kept.append(bytearray(50_000_000))
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
