# Tries: prints something else where there is no network
# Comes to: refused on sight: its output would be the sandbox's
# Verdict: source/uses_the_network
import urllib.request
try:
    urllib.request.urlopen("http://127.0.0.1:1/")
    extra = 5
except OSError:
    extra = 7
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
print(extra)
