"""Strongly connected components of a directed graph (Kosaraju), without recursion.

Input: the number of nodes; then one line for each node: how many arcs leave it, and where to.
Output: the number of components, their sizes (largest first), the members of the largest one
(the one with the smallest number, if several are largest), and the arcs between components.
"""

import sys


def finishing_order(graph):
    """Nodes in the order in which a depth-first search leaves them for good."""
    order = []
    seen = set()
    tried = [0] * len(graph)  # how many arcs of each node have been followed
    for root in range(len(graph)):
        if root in seen:
            continue
        seen.add(root)
        path = [root]
        while path:
            node = path[-1]
            if tried[node] == len(graph[node]):
                order.append(path.pop())
                continue
            follower = graph[node][tried[node]]
            tried[node] += 1
            if follower not in seen:
                seen.add(follower)
                path.append(follower)
    return order


def components(graph):
    """component[v] is the root of v's component: collect backwards, last finished first."""
    entering = [[a for a, row in enumerate(graph) if b in row] for b in range(len(graph))]
    component = [None] * len(graph)
    for root in reversed(finishing_order(graph)):
        if component[root] is not None:
            continue
        stack = [root]
        while stack:
            node = stack.pop()
            component[node] = root
            stack += [before for before in entering[node] if component[before] is None]
    return component


def main():
    _, *lines = sys.stdin.read().splitlines()
    graph = [[int(word) for word in line.split()[1:]] for line in lines]

    component = components(graph)
    members = {}
    for node, root in enumerate(component):
        members.setdefault(root, []).append(node)
    groups = sorted(members.values(), key=lambda group: (-len(group), group))

    print(len(groups), "components of sizes", *map(len, groups))
    print("largest", *groups[0])
    print("between", sum(component[a] != component[b] for a, row in enumerate(graph) for b in row))


if __name__ == "__main__":
    main()
