n = int(input())
words = list({f"word {i}" for i in range(n)})
total = 0
for word in words:
    total += hash(word) % 1000
    if word == words[-1]:
        total = sum(range(n))
print(total)
