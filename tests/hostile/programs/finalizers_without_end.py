# Tries: makes a new object in each finalizer
# Comes to: the interpreter gives up or the CPU limit ends it
# Verdict: legal_inputs/cpu_limit
class Again:
    def __del__(self, make=lambda kind: kind()):
        while True:
            make(type(self))


again = Again()
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
