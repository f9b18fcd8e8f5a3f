import sys

n = int(input())
lines = [0]


def trace(frame, event, _):
    lines[0] += event == "line"
    return trace


sys.settrace(trace)
total = 0
for i in range(n):
    total += i * i
sys.settrace(None)
print(total, lines)
