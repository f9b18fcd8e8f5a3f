def main(n):
    taken = 0
    total = 0
    for value in triples():
        taken += 1
        total += value
        if taken == n:
            break
    print("total", total)


def triples():
    i = 0
    while True:
        yield 3 * i
        i += 1


main(int(input()))
