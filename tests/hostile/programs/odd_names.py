# Tries: leaves links, pipes, closed folders and names of any bytes
# Comes to: removed with its folder
# Verdict: admitted
import os
os.mkfifo("a pipe: it has a colon")
os.symlink("/", "root")
os.symlink("loop", "loop")
os.mkdir("closed", 0)
for name in (b"\xff\xfe", b"new\nline", b"c:\\name", b"..."):
    open(name, "w").close()
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
