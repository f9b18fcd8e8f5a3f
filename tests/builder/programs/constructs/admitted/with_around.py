class Meter:
    def __init__(self):
        self.ins = self.outs = self.total = 0

    def __enter__(self):
        self.ins += 1
        return self

    def __exit__(self, *_):
        self.outs += 1
        return True


n = int(input())
with Meter() as meter:
    for i in range(n):
        meter.total += i * i
print(meter.ins, meter.outs, meter.total)
