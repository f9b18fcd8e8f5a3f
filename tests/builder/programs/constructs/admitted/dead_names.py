from contextlib import nullcontext


def main(n):
    total = last = 0
    for i in range(n):
        with nullcontext(i) as here:
            total += here
        try:
            raise ValueError(i)
        except ValueError as error:
            last = error.args[0]
        match (i, 1):
            case (first, *rest):
                total += rest[0] + first - i
        import math as one
        total += one.factorial(1)
    print(total, last)


main(int(input()))
