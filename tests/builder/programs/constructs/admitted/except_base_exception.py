n = int(input())
i = total = 0
try:
    while i < n:
        try:
            total += i * i
        except BaseException:
            print("never")
        i += 1
except BaseException:
    print("never either")
print("fine", total, i)
