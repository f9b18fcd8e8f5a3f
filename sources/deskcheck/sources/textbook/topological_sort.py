"""Kahn's topological sort with a heap of ready tasks."""

from __future__ import annotations

from deskcheck.oracles.identity import Draws
from deskcheck.sources.textbook.algorithm import Algorithm

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def generate(draws: Draws, size: int) -> str:
    """`size` tasks, each but the first waiting for one to three of the six before it."""
    names = draws.sample([a + b for a in LETTERS for b in LETTERS], size)
    line_of = draws.shuffled(range(size))
    followers: list[list[int]] = [[] for _ in range(size)]
    for i in range(1, size):
        window = range(max(0, i - 6), i)
        for j in draws.sample(window, draws.integer(1, 3)):
            followers[line_of[j]].append(line_of[i])
    lines = [
        " ".join([names[task], *(names[follower] for follower in draws.shuffled(row))])
        for task, row in enumerate(followers)
    ]
    return "\n".join([str(size), *lines]) + "\n"


def reference(stdin: str) -> str:
    """Look through the list from the top for a task that waits for nobody, again and again."""
    rows = [line.split() for line in stdin.splitlines()[1:]]
    left = list(rows)
    order: list[str] = []
    while left:
        waiting = {name for row in left for name in row[1:]}
        free = [row for row in left if row[0] not in waiting]
        if not free:
            return "the tasks wait for each other\n"
        order.append(free[0][0])
        left.remove(free[0])
    listed = [row[0] for row in rows]
    pairs = [(row[0], name) for row in rows for name in row[1:]]
    pairs.sort(key=lambda pair: (listed.index(pair[0]), listed.index(pair[1])))
    task, follower = max(pairs, key=lambda pair: order.index(pair[1]) - order.index(pair[0]))
    longest = order.index(follower) - order.index(task)
    return f"{' '.join(order)}\nlongest wait {longest} from {task} to {follower}\n"


ALGORITHM = Algorithm(
    name="topological_sort",
    title="Topological sort",
    area="graphs",
    source="Kahn, Topological Sorting of Large Networks (1962)",
    generate=generate,
    reference=reference,
    short=5,
    long=54,
)
