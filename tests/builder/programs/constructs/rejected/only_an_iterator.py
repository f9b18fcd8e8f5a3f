n = int(input())
numbers = iter(range(n))
going = lambda: True
while going:
    if next(numbers) == n - 2:
        break
print(n + next(numbers))
