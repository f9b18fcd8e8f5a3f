total = 0
while (line := input()) != "end":
    total += int(line)
print(total)
