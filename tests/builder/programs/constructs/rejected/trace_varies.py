n = int(input())
total = 0
for i in range(n):
    total += i * i
order = list({f"word {i}" for i in range(n)})
while order.pop() != "word 3":
    pass
print(total)
