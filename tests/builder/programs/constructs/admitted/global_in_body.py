total = 0


def main(n):
    for i in range(n):
        global total
        total += i * i
    print("sum", total)


main(int(input()))
