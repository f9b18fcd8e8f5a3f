"""Bellman-Ford: cheapest paths in a directed graph whose arcs may have negative costs.

Input: the number of nodes, the source and the target; then one line for each node with pairs
"from cost", one for every arc that enters the node.
Output: the cost of the cheapest path to the target, the path, and the node that is cheapest to
reach; or a message if some cycle has a negative cost.
"""

import sys

INFINITY = float("inf")


def relax(cost, incoming):
    """Costs to every node when each path may be one arc longer than before."""
    return [
        min([cost[node]] + [cost[before] + price for before, price in arcs])
        for node, arcs in enumerate(incoming)
    ]


def cheapest_costs(source, incoming):
    """Costs of the cheapest paths from the source, or None if there is a negative cycle."""
    cost = [INFINITY] * len(incoming)
    cost[source] = 0
    for _ in range(len(incoming) - 1):
        improved = relax(cost, incoming)
        if improved == cost:
            break
        cost = improved
    return cost if relax(cost, incoming) == cost else None


def path_to(target, source, incoming, cost):
    """Walk back from the target along arcs that lie on a cheapest path."""
    path = [target]
    while path[-1] != source:
        node = path[-1]
        path.append(
            min(before for before, price in incoming[node] if cost[before] + price == cost[node])
        )
    return path[::-1]


def main():
    header, *lines = sys.stdin.read().splitlines()
    _, source, target = map(int, header.split())
    rows = [[int(word) for word in line.split()] for line in lines]
    incoming = [list(zip(row[0::2], row[1::2])) for row in rows]

    cost = cheapest_costs(source, incoming)
    if cost is None:
        print("negative cycle")
        return
    print("cost", cost[target])
    print("path", *path_to(target, source, incoming, cost))
    print("cheapest node", cost.index(min(cost)), min(cost))


if __name__ == "__main__":
    main()
