total = 0
calls = []


def bump(amount):
    global total
    total = total + amount * amount
    if amount % 10 == 0:
        calls.append(amount)


def show():
    print("it is", total, calls)


def main(n):
    for i in range(n):
        bump(i)


main(int(input()))
show()
