"""Minimum-cost flow problems by seed: a long one, and a short one derived from it.

Every number comes out of one run of bits, so that tens of thousands of problems are made in a
minute.
"""

from __future__ import annotations

from dataclasses import dataclass
from struct import unpack

from deskcheck.oracles.identity import Draws

FEWEST, MOST = 10, 64
"""Nodes of a long problem."""
SHORTENED = 5
"""How many times fewer nodes the short problem has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Nodes 0 to n - 1 with a demand each, and arcs as (from, to, weight, capacity)."""

    demands: tuple[int, ...]
    arcs: tuple[tuple[int, int, int, int], ...]

    def text(self) -> str:
        """The numbers of nodes and arcs, the demands, then one arc a line."""
        head = f"{len(self.demands)} {len(self.arcs)}\n{' '.join(map(str, self.demands))}\n"
        return head + "".join(
            [f"{u} {v} {weight} {capacity}\n" for u, v, weight, capacity in self.arcs]
        )


def problems(draws: Draws) -> tuple[Problem, Problem]:
    """The short and the long problem.

    The nodes have a hidden order. A cycle through all of them in that order, dear but wide enough
    for everything, makes the problem feasible; other arcs join nodes that are near each other in
    it. The short problem has the first nodes of the order, the arcs among them and the demands of
    shipments that stay among them.
    """
    numbers = _Numbers(draws)
    size = FEWEST + numbers.below(MOST - FEWEST + 1)
    few = max(4, size // SHORTENED)
    reach = 3 + numbers.below(max(1, size // 2))
    shipments = [(0, few - 1, 1 + numbers.below(9))]
    while len(shipments) < max(2, size // 3):
        origin = numbers.below(size)
        goal = (origin + 1 + numbers.below(size - 1)) % size
        shipments.append((origin, goal, 1 + numbers.below(9)))
    total = sum(amount for _, _, amount in shipments)
    arcs = {(place, (place + 1) % size): (20 + numbers.below(21), total) for place in range(size)}
    for _ in range(size * (3 + numbers.below(8)) // 2):
        start = numbers.below(size)
        end = (start + 1 + numbers.below(2 * reach) - reach) % size
        if start != end:
            weight, capacity = divmod(numbers.below(20 * 12), 12)
            arcs.setdefault((start, end), (1 + weight, 1 + capacity))
    short_arcs = {ends: data for ends, data in arcs.items() if max(ends) < few}
    short_arcs.setdefault((few - 1, 0), (20 + numbers.below(21), total))
    order = numbers.shuffled(size)
    ranks = sorted(order[:few])
    short_order = [ranks.index(node) for node in order[:few]]
    listed = list(arcs.items())
    turned = [listed[index] for index in numbers.shuffled(len(listed))]
    kept = [(ends, data) for ends, data in turned if ends in short_arcs]
    kept += [(ends, data) for ends, data in short_arcs.items() if ends not in arcs]
    within = [each for each in shipments if max(each[:2]) < few]
    return _problem(short_order, kept, within), _problem(order, turned, shipments)


def _problem(
    order: list[int],
    arcs: list[tuple[tuple[int, int], tuple[int, int]]],
    shipments: list[tuple[int, int, int]],
) -> Problem:
    demands = [0] * len(order)
    for origin, goal, amount in shipments:
        demands[order[origin]] -= amount
        demands[order[goal]] += amount
    return Problem(
        demands=tuple(demands),
        arcs=tuple((order[u], order[v], *data) for (u, v), data in arcs),
    )


class _Numbers:
    """Small integers out of large draws, off uniform by less than one part in a million."""

    _BLOCK = 256

    def __init__(self, draws: Draws) -> None:
        self._draws = draws
        self._left: list[int] = []

    def below(self, limit: int) -> int:
        """An integer from 0 to `limit` - 1, for limits up to about a thousand."""
        if not self._left:
            self._left = self._block()
        return self._left.pop() * limit >> 32

    def shuffled(self, size: int) -> list[int]:
        """The integers below `size` in random order."""
        while len(self._left) < size:
            self._left += self._block()
        keys = self._left[-size:]
        del self._left[-size:]
        return sorted(range(size), key=keys.__getitem__)

    def _block(self) -> list[int]:
        drawn = self._draws.bits(32 * self._BLOCK).to_bytes(4 * self._BLOCK, "big")
        return list(unpack(f">{self._BLOCK}I", drawn))
