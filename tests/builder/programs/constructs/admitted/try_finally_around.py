def main(n):
    total = 0
    try:
        for i in range(n):
            total += i * i
        print("sum", total)
        return
    finally:
        print("done", -total)


main(int(input()))
