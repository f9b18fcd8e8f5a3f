# Tries: has the kernel send SIGKILL to its parent, as the owner of a pipe with that signal
# Comes to: both calls are refused
# Verdict: source/depends_on_its_surroundings
# Unisolated: * -- with its own user's rights and no layer, it reaches the sandbox itself
# Reach: outside
import fcntl, os, time
reading, writing = os.pipe()
fcntl.fcntl(reading, 8, os.getppid())
fcntl.fcntl(reading, 10, 9)
fcntl.fcntl(reading, fcntl.F_SETFL, os.O_ASYNC)
os.write(writing, b"x")
time.sleep(0.2)
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
