# Tries: runs a command from a pickle
# Comes to: refused on sight: a pickle is program text
# Verdict: source/runs_program_text
# Unisolated: *
import io, pickle, sys
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
sys.stdout.flush()
pickle.loads(b"cposix\nsystem\n(S'echo from a pickle'\ntR.")
