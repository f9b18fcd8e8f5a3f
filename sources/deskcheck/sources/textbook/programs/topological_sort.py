"""Topological sorting (Kahn): put tasks into an order in which nothing comes too early.

Input: the number of tasks; then one line for each task, its name and the names of the tasks that
have to wait for it.
Output: the order (of the tasks that could come next, always the one listed first), and the
longest way in that order from a task to one that waits for it (the pair listed first, if equal).
"""

import heapq
import sys
from collections import Counter


def topological_order(followers):
    """Task numbers in order; a task on a cycle, or behind one, is left out."""
    waits_for = Counter(task for row in followers for task in row)
    missing = [waits_for[task] for task in range(len(followers))]
    ready = [task for task, count in enumerate(missing) if count == 0]
    order = []
    while ready:
        task = heapq.heappop(ready)
        order.append(task)
        for follower in followers[task]:
            missing[follower] -= 1
            if missing[follower] == 0:
                heapq.heappush(ready, follower)
    return order


def main():
    _, *lines = sys.stdin.read().splitlines()
    rows = [line.split() for line in lines]
    number = {row[0]: task for task, row in enumerate(rows)}
    followers = [[number[name] for name in row[1:]] for row in rows]

    order = topological_order(followers)
    if len(order) < len(rows):
        print("the tasks wait for each other")
        return
    place = {task: i for i, task in enumerate(order)}
    pairs = [(task, later) for task, row in enumerate(followers) for later in sorted(row)]
    first, later = max(pairs, key=lambda pair: place[pair[1]] - place[pair[0]])

    print(" ".join(rows[task][0] for task in order))
    print("longest wait", place[later] - place[first], "from", rows[first][0], "to", rows[later][0])


if __name__ == "__main__":
    main()
