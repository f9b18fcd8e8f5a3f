def squares(n, log):
    total = 0
    try:
        for i in range(n):
            total += i * i
            yield total
    finally:
        log.append("closed")


def main(n):
    log = []
    early = squares(n, log)
    for _ in range(n - 1):
        next(early)
    early.close()
    last = max(squares(n, log))
    print(log, last)


main(int(input()))
