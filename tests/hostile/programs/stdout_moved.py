# Tries: moves standard output to a file and back
# Comes to: a state that goes to the file is no answer
# Verdict: reachability/checkpoint_not_reached
import os
kept = os.dup(1)
other = os.open("other", os.O_WRONLY | os.O_CREAT)
os.dup2(other, 1)
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
os.dup2(kept, 1)
print(total)
