from contextlib import contextmanager


class Meter:
    def __init__(self):
        self.ins = self.outs = 0

    @contextmanager
    def at(self, place):
        self.ins += 1
        try:
            yield place
        finally:
            self.outs += 1


def main(n):
    meter = Meter()
    i = total = 0
    while i < n:
        with meter.at(i) as here:
            i += 1
            if here % 4 == 0:
                continue
            total += here
    print(total, meter.outs)


main(int(input()))
