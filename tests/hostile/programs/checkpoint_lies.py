# Tries: has its state printed as something else
# Comes to: the two oracles do not agree
# Verdict: two_oracles/states_differ
import json
json.dumps = lambda *_, **__: '{"total": 1}'
json.JSONEncoder.encode = json.dumps
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
