n = int(input())
s = t = 0
for x in range(n): s += x; t += s
print(s, t)
