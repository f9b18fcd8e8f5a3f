# Tries: puts an object of its own in the place of standard output
# Comes to: measured as it is
# Verdict: admitted
import sys


class Loud:
    def __init__(self, stream):
        self.stream = stream

    def write(self, text):
        return self.stream.write(text.upper())

    def flush(self):
        self.stream.flush()


sys.stdout = Loud(sys.stdout)
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
print("total", total)
