# Tries: puts another function in the place of exec
# Comes to: refused on sight
# Verdict: source/runs_program_text
import builtins
builtins.exec = print
exec = None
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
