from collections import Counter, defaultdict

n = int(input())
letters = Counter()
groups = defaultdict(list)
for i in range(n):
    letters["abc"[i % 3]] += 1
    groups[i % 8].append(i)
print(letters.most_common(1), groups[0])
