def main(n):
    total = 0
    for turn, size in enumerate((n, n, 3)):
        for i in range(size):
            total += i * i
            if turn == 1 and i + 1 == n // 2:
                break
        else:
            total = -total
            continue
        total += 1000
    print("total", total)


main(int(input()))
