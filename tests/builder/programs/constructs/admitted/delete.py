n = int(input())
left = list(range(n))
total = 0
while len(left) > 1:
    product = left[0] * left[1]
    del left[0]
    total += product
    del product
print(total, left)
