def never(n):
    while n:
        n -= 1


def main(n):
    while 0:
        print("never")
    if False:
        for i in range(n + 1):
            print("never")
    total = 0
    for i in range(n):
        total += i * i
    return f"sum {total}"
    for i in range(n - 1):
        total -= i


while False: pass
else: print(main(int(input())))
