n = int(input())
at = 0
seen = 0
while at < n:
    seen += at * at
    at += 1
else:
    seen += 1
print(seen, at)
