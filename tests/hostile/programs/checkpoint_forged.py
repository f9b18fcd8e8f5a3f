# Tries: prints what looks like its own state
# Comes to: told apart: the state is what comes after it
# Verdict: admitted
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
    print('{"total": 1}', flush=True)
print(total)
