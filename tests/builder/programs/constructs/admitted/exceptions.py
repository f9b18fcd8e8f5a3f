class Odd(Exception):
    pass


def main(n):
    caught = [0, 0]
    asserted = total = 0
    for i in range(n):
        try:
            if i % 4 == 1:
                raise ExceptionGroup("both", [Odd(i), ValueError(i)])
            if i % 4 == 2:
                raise ValueError(i) from None
            assert i % 4 != 3, "three"
        except* AssertionError:
            asserted += 1
        except* Odd:
            caught[0] += 1
        except* ValueError as group:
            for error in group.exceptions:
                if error.args[0] % 4 == 2:
                    caught[1] += error.args[0]
        else:
            total += i
    print(caught, asserted, total)


main(int(input()))
