from contextlib import nullcontext


def main(n):
    total = 0
    for i in range(n):
        if i % 3 == 0:
            total += i
        elif i % 3 == 1:
            total += i
        else:
            try:
                1 // 1
            except ZeroDivisionError:
                pass
            else:
                total += i * i
            finally:
                with nullcontext() as _:
                    match i:
                        case -1:
                            pass
                        case _:
                            for j in range(1):
                                pass
                            else:
                                while j: j -= 1
                                else:
                                    @staticmethod
                                    def last():
                                        class Deep:
                                            def deeper(self): return {
                                                "x": 1,
                                            }  # the end
    # After it.
    print(total, "in all")


main(int(input()))
