def triangle(rows):
    row = 0
    blocks = 0
    while row < rows:
        row += 1
        blocks += row
    return f"{blocks} blocks"


print(triangle(int(input())))
