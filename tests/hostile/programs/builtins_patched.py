# Tries: puts other functions in the place of every builtin that might count
# Comes to: measured as it is
# Verdict: admitted
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
import builtins
for name in ("len", "open", "sorted", "isinstance", "str", "map", "getattr", "type", "min", "max"):
    setattr(builtins, name, lambda *_, **__: 0)
