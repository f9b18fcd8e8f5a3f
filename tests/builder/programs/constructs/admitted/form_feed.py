def main(n):
    total = 0
    for i in range(n):
        total += i * i
    print("sum", total)


main(int(input()))
