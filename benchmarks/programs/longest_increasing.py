"""The longest increasing subsequence of random numbers, by the quadratic table."""


def numbers(count: int) -> list[int]:
    state, found = 12345, []
    for _ in range(count):
        state = (state * 1103515245 + 12345) % 2147483648
        found.append(state % 10000)
    return found


def longest(values: list[int]) -> list[int]:
    best = [1] * len(values)
    previous = [-1] * len(values)
    for i in range(len(values)):
        for j in range(i):
            if values[j] < values[i] and best[j] + 1 > best[i]:
                best[i] = best[j] + 1
                previous[i] = j
    at = max(range(len(values)), key=best.__getitem__)
    chain = []
    while at != -1:
        chain.append(values[at])
        at = previous[at]
    return chain[::-1]


print(len(longest(numbers(3600))))
