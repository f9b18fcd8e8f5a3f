# Tries: copies its state by a pickle
# Comes to: that is no program text of others; measured as it is
# Verdict: admitted
import pickle
n = int(input())
rows = [0]
for k in range(n):
    rows = pickle.loads(pickle.dumps([rows[0] * 7 % 1009 + k]))
print(rows)
