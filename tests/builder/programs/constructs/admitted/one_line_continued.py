def down(left):
    total = 0
    while left: \
        total += left; left -= 1;
    return f"total {total}"


print(down(int(input())))
