"""Huffman coding: inputs and an independent reference."""

from __future__ import annotations

from collections import deque
from string import ascii_lowercase

from deskcheck.oracles.identity import Draws
from deskcheck.sources.textbook.algorithm import Algorithm


def generate(draws: Draws, size: int) -> str:
    """`size` symbols with weights that span two orders of magnitude."""
    names = list(ascii_lowercase)
    names += [first + second for first in names for second in names]
    weights = (draws.integer(1, draws.choice((6, 20, 60))) for _ in range(size))
    lines = [f"{name} {weight}" for name, weight in zip(names, weights, strict=False)]
    return "\n".join([str(size), *lines]) + "\n"


def reference(stdin: str) -> str:
    """Two queues instead of a heap: inner nodes are made in order of weight."""
    rows = [line.split() for line in stdin.splitlines()[1:]]
    leaves = sorted((int(weight), i) for i, (_, weight) in enumerate(rows))
    waiting = deque((weight, i, {i: 0}) for weight, i in leaves)
    made: deque[tuple[int, int, dict[int, int]]] = deque()
    for node in range(len(rows), 2 * len(rows) - 1):
        total = 0
        depths: dict[int, int] = {}
        for _ in range(2):
            heads = [queue for queue in (waiting, made) if queue]
            weight, _, below = min(heads, key=lambda queue: queue[0][:2]).popleft()
            total += weight
            depths |= {leaf: depth + 1 for leaf, depth in below.items()}
        made.append((total, node, depths))
    depths = made[0][2]
    deepest = max(depths.values())
    bits = sum(int(weight) * depths[i] for i, (_, weight) in enumerate(rows))
    lengths = " ".join(f"{name}{depths[i]}" for i, (name, _) in enumerate(rows))
    last = " ".join(name for i, (name, _) in enumerate(rows) if depths[i] == deepest)
    return f"bits: {bits}\nlengths: {lengths}\ndeepest: {last}\n"


ALGORITHM = Algorithm(
    name="huffman",
    title="Huffman coding with a heap",
    area="strings",
    source="D. A. Huffman, A Method for the Construction of Minimum-Redundancy Codes, 1952",
    generate=generate,
    reference=reference,
    short=3,
    long=26,
)
