n = int(input())
ring = []
ring.append(ring)
for i in range(n):
    ring.append(i)
print(len(ring))
