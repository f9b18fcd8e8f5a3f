# Tries: makes itself the last to be killed when memory runs out
# Comes to: refused on sight; it cannot be written
# Verdict: source/depends_on_its_surroundings
with open("/proc/self/oom_score_adj", "w") as file:
    file.write("-1000")
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
