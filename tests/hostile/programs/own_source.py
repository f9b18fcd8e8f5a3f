# Tries: prints its own source
# Comes to: found out, as the shown program has another
# Verdict: preservation/instrumentation_changes_output
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
print(len(open("program.py").read()))
