# Tries: reads the clock by a name that it gives itself
# Comes to: refused on sight
# Verdict: source/reads_the_clock
what = __import__("time")
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
print(what.time() > 0)
