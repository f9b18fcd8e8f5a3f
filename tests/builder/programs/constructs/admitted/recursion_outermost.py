def spread(depth, width):
    total = depth
    for i in range(width):
        total += i * i
        if i == 2 and depth:
            total += spread(depth - 1, width)
    return total


print(float(spread(2, int(input()))))
