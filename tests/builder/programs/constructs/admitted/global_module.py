total = 0


def bump(amount):
    global total
    total += amount * amount


n = int(input())
for i in range(n):
    bump(i)
print("it is", total)
