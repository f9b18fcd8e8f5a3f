left = int(input())
total = 0


def step():
    global left, total
    total += left
    left -= 1
    return left


while step(): pass
print("total", total)
