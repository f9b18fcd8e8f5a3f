n = int(input())
total = 0


def rows():
    global total
    for j in range(n):
        total += j * j


rows(), rows(), rows(), rows()
print(total)
