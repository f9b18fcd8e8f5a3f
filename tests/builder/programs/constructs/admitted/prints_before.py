n = int(input())
i = total = 0
print("squares up to", n)
while i < n:
    total += i * i
    i += 1
print(total)
