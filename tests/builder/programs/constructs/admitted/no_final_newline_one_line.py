n = int(input())
total = 0
while n >= 0: total += n * n; n -= 1; n or print(total, "squares")  # the end