# Tries: prints without end and swallows every error
# Comes to: cut at the limit, and ended
# Verdict: legal_inputs/output_limit
while True:
    try:
        while True:
            print("x" * 10_000)
    except BaseException:
        pass
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
