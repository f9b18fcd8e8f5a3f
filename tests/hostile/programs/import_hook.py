# Tries: puts itself between every import and its module
# Comes to: measured as it is
# Verdict: admitted
import sys


class Hook:
    def find_spec(self, name, path=None, target=None):
        raise ImportError(name)


sys.meta_path.insert(0, Hook())
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
