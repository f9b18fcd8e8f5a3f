n = int(input())
at = seen = 0
while at < 1000:
    seen += at * at
    at += 1
    if at == n:
        break
else:
    seen = -seen
print(seen, at)
