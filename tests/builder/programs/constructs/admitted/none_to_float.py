def main(n):
    mean = None
    for i in range(n):
        if mean is None:
            mean = i / 1
        else:
            mean = (mean * i + i) / (i + 1)
    print("mean", mean)


main(int(input()))
