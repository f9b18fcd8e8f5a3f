"""Coin change: in how many ways, and with how few coins, can an amount be paid?

Input: the amount on the first line, the values of the coins on the second.
Output: the number of ways (the order of the coins does not matter), the least number of coins,
and the coins of such a payment, the largest possible coins first.
"""

import sys


def fewest_coins(coins, amount):
    """fewest[a] is the least number of coins that pay `a`, or amount + 1 if none do."""
    fewest = [0]
    for part in range(1, amount + 1):
        count = amount + 1
        for coin in coins:
            if coin <= part and fewest[part - coin] + 1 < count:
                count = fewest[part - coin] + 1
        fewest.append(count)
    return fewest


def count_ways(coins, amount):
    ways = [1] + [0] * amount
    for coin in coins:
        for part in range(coin, amount + 1):
            ways[part] += ways[part - coin]
    return ways[amount]


def payment(coins, amount, fewest):
    """Follow the table back from the full amount, preferring large coins."""
    paid = []
    while amount > 0:
        coin = max(c for c in coins if c <= amount and fewest[amount - c] == fewest[amount] - 1)
        paid.append(coin)
        amount -= coin
    return paid


def main():
    amount, *coins = map(int, sys.stdin.read().split())

    fewest = fewest_coins(coins, amount)
    print("ways", count_ways(coins, amount))
    if fewest[amount] <= amount:
        print("coins", fewest[amount])
        print(" + ".join(map(str, payment(coins, amount, fewest))))
    else:
        print("cannot be paid")


if __name__ == "__main__":
    main()
