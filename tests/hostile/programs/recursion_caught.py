# Tries: prints how deep it can recurse
# Comes to: found out: measured, there is another frame
# Verdict: determinism/output_varies
def depth(n):
    try:
        return depth(n + 1)
    except RecursionError:
        return n


n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
print(depth(0))
