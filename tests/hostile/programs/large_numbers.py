# Tries: prints a number of more than 4,300 digits
# Comes to: its own error: the limit on digits is a known one
# Verdict: legal_inputs/runtime_error
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
print(7 ** 9999)
