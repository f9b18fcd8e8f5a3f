"""Kruskal's algorithm: a cheapest network that connects everybody, with union-find.

Input: the numbers of nodes and of edges, then one line "node node cost" for each edge.
Output: the cost of the spanning tree, the cost of the edges that it can do without, and the
node with the most tree edges.
"""

import sys


def find(parent, node):
    """The representative of the node's component; paths are halved on the way."""
    while parent[node] != node:
        parent[node] = parent[parent[node]]
        node = parent[node]
    return node


def spanning_tree(nodes, edges):
    """Cost of the cheapest spanning tree, cost of all other edges, tree edges at each node."""
    parent = list(range(nodes))
    members = [1] * nodes
    degree = [0] * nodes
    tree_cost = 0
    spare_cost = 0
    for cost, a, b in sorted(edges):
        root, other = find(parent, a), find(parent, b)
        if root == other:
            spare_cost += cost  # the edge would close a cycle
            continue
        if members[root] < members[other]:
            root, other = other, root
        parent[other] = root
        members[root] += members[other]
        tree_cost += cost
        degree[a] += 1
        degree[b] += 1
    return tree_cost, spare_cost, degree


def main():
    nodes, _, *numbers = map(int, sys.stdin.read().split())
    edges = list(zip(numbers[2::3], numbers[0::3], numbers[1::3]))

    tree_cost, spare_cost, degree = spanning_tree(nodes, edges)
    hub = degree.index(max(degree))

    print("tree costs", tree_cost)
    print("spare edges cost", spare_cost)
    print("hub", hub, "with", degree[hub], "edges;", degree.count(1), "ends")


if __name__ == "__main__":
    main()
