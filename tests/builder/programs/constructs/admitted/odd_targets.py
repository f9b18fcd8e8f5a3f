class Box:
    item = None
    high = 0


n = int(input())
pairs = [(i, i * i) for i in range(n)]
seen = [0, 0]
box = Box()
for box.item, seen[1] in pairs:
    seen[0] += seen[1]
    box.high = box.item
print(seen, box.item, box.high)
