def main(n):
    costs = []
    low = float("inf")
    gap = 0.0
    for i in range(n):
        costs = costs[-3:] + [i if i % 3 else float("inf")]
        low = min(low, 100 - i)
        gap = float("nan") if i < n - 1 else float("-inf")
    print(costs, low, gap)


main(int(input()))
