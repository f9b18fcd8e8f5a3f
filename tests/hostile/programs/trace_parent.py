# Tries: attaches to its parent with ptrace
# Comes to: refused on sight; the call is refused
# Verdict: source/reaches_into_its_interpreter
# Unisolated: - -- with its own user's rights and no layer, it stops whoever watches it
# Reach: outside
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
print(libc.ptrace(16, os.getppid(), 0, 0), libc.ptrace(16, 1, 0, 0))
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
