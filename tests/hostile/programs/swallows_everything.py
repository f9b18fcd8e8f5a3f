# Tries: swallows every exception in a loop
# Comes to: ended by the CPU limit
# Verdict: legal_inputs/cpu_limit
while True:
    try:
        input()
    except BaseException:
        pass
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
