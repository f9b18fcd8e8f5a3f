def total(members):
    out = 0
    for i in members:
        out += i
    return out


print(total(set(range(int(input())))))
