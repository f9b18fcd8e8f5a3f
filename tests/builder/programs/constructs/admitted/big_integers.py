n = int(input())
power = factorial = 1
for i in range(1, n + 1):
    power *= -7
    factorial *= i
print(power % 1000, len(str(factorial)))
