# Tries: keeps a number of more than 4,300 digits as its state
# Comes to: it is no JSON number that could be asked for, and there is no other state
# Verdict: change/nothing_changes
n = int(input())
total = 1
for k in range(n):
    total = total * 10 ** 300 + k
print(total % 1009)
