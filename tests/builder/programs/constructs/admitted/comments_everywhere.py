# A comment at the top.

def main(n):
    total = 0
    # Before the loop.
    for i in range(n):  # a comment on the head

        # The first line of the body.

        total += i * i  # beside the statement
        # After the last statement, as deep.
            # Deeper.
    # Shallower.
    print(total, "in all")
    # The last line of the function.


main(int(input()))
# A footer.

    # And one more, indented.
