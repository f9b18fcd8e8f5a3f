def main(n):
    best = None
    found = None
    total = 0
    for i in range(n):
        score = 7 * i % 41
        if best is None or score > best:
            best = score
        total += score
        if i == n - 1:
            found = i
    print(best, found, total)


main(int(input()))
