# Tries: looks for what watches it among all objects
# Comes to: refused on sight
# Verdict: source/reaches_into_its_interpreter
import gc
found = [thing for thing in gc.get_objects() if type(thing).__name__ == "Count"]
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
print(len(found))
