# Tries: reads standard input opened
# Comes to: measured as it is
# Verdict: admitted
with open(0) as file:
    n = int(file.read())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
