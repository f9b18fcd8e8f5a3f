def main(n):
    inner = outer = 0
    for i in range(n):
        if 3 <= i < n - 3 != 5:
            inner += i
        else:
            outer += i
    print(inner, outer)


main(int(input()))
