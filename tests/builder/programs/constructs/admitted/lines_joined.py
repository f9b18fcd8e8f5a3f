def main(n):
    i = total = 0
    text = ";"
    while (
        i
        < n
    ):
        i += 1; total += (
            i - 1
        ) * (i - 1) \
            + 1
        text = """;
    #""" * (2
                if i < n else 0)
    print(total, i + len(text))


main(int(input()))
