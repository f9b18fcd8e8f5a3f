# Tries: never gets to the end of its finalizers
# Comes to: ended by the CPU limit
# Verdict: legal_inputs/cpu_limit
class Again:
    def __del__(self):
        while True:
            pass


again = Again()
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
