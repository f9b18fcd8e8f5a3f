# Tries: takes memory without end and swallows the error
# Comes to: ended by the CPU limit
# Verdict: legal_inputs/cpu_limit
kept = []
while True:
    try:
        kept.append(bytearray(50_000_000))
    except MemoryError:
        pass
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
