# Tries: makes a file of a terabyte with nothing in it
# Comes to: refused by the limit on one file
# Verdict: legal_inputs/runtime_error
with open("sparse", "wb") as file:
    file.truncate(1 << 40)
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
