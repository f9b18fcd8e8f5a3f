def down(a):
    b = 0
    while a: b, a = b + a * a, a - 1
    return b, a


print(*down(int(input())))
