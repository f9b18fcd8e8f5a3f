n = int(input())
odd = sum([i for i in range(n) if i % 2])
kinds = {total: i for i, total in enumerate(range(n))}
total = 0
for i in range(n):
    total += sum(j for j in range(i)) + len({j % 5 for j in range(i % 5)})
print(odd, len(kinds), total)
