# Tries: makes a socket of every family
# Comes to: refused on sight; each is refused
# Verdict: source/uses_the_network
# Forbidden: made
# Reach: outside
import socket
for family in (1, 2, 10, 16, 17, 31, 38, 40):
    for kind in (1, 2, 3):
        try:
            socket.socket(family, kind)
            print("made", family, kind)
        except OSError:
            pass
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
