def adder():
    total = 0
    while True:
        sent = yield total
        if sent is None:
            break
        total += sent
    yield f"end {total}"


def outer():
    yield from adder()


def feed(n):
    machine = outer()
    next(machine)
    for i in range(n):
        machine.send(i)
    print(machine.send(None))


feed(int(input()))
