"""Coin change: the number of ways and the fewest coins."""

from __future__ import annotations

from itertools import product

from deskcheck.oracles.identity import Draws
from deskcheck.sources.textbook.algorithm import Algorithm


def generate(draws: Draws, size: int) -> str:
    """Four coins without 1, and the least amount from `size` up that they can pay."""
    small, medium = draws.choice([(2, 3), (2, 5), (3, 4), (3, 5)])
    coins = [small, medium, draws.integer(9, 13), draws.integer(17, 23)]
    payable = {small * a + medium * b for a in range(medium) for b in range(size + 1)}
    amount = size
    while not any((amount - part) % small == 0 for part in payable if part <= amount):
        amount += 1
    return f"{amount}\n{' '.join(map(str, coins))}\n"


def reference(stdin: str) -> str:
    """All payments one by one: how often each larger coin is used, the smallest fills the rest."""
    amount, smallest, *larger = (int(word) for word in stdin.split())
    larger.sort(reverse=True)
    ways = 0
    best: tuple[int, list[int]] | None = None
    for counts in product(*(range(amount // coin, -1, -1) for coin in larger)):
        rest = amount - sum(coin * count for coin, count in zip(larger, counts, strict=True))
        if rest < 0 or rest % smallest:
            continue
        ways += 1
        paid = [coin for coin, count in zip(larger, counts, strict=True) for _ in range(count)]
        paid += [smallest] * (rest // smallest)
        # The product runs from many large coins to few: the first of the shortest is wanted.
        if best is None or len(paid) < best[0]:
            best = len(paid), paid
    if best is None:
        return f"ways {ways}\ncannot be paid\n"
    return f"ways {ways}\ncoins {best[0]}\n{' + '.join(map(str, best[1]))}\n"


ALGORITHM = Algorithm(
    name="coin_change",
    title="Coin change",
    area="dynamic programming",
    source="Wright, The Change-Making Problem (1975); Skiena, The Algorithm Design Manual",
    generate=generate,
    reference=reference,
    short=8,
    long=80,
)
