left = int(input())
total = 0
while left:
    total += left
    left -= 1
    if not left:
        print("total", total)
