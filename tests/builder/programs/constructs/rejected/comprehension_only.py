n = int(input())
print(sum([i * i for i in range(n)]), {i for i in range(n)} == set(range(n)))
