"""Huffman coding: code lengths of an optimal prefix code.

Input: the number of symbols, then one line per symbol with its weight.
Output: the length of the encoded message, every symbol's code length, and
the symbols of the deepest level of the code tree.
"""

import heapq
import sys


def build_tree(weights):
    """Merge the two lightest trees until one is left; return each node's parent.

    Leaves are numbered 0 to n - 1, inner nodes from n on in the order they
    are made, and of two trees of equal weight the smaller number goes first.
    """
    count = len(weights)
    parent = [0] * (2 * count - 1)
    heap = [(weight, leaf) for leaf, weight in enumerate(weights)]
    heapq.heapify(heap)
    node = count
    while len(heap) > 1:
        light, first = heapq.heappop(heap)
        heavy, second = heapq.heappop(heap)
        parent[first] = node
        parent[second] = node
        heapq.heappush(heap, (light + heavy, node))
        node += 1
    return parent


def code_length(parent, leaf):
    """The depth of a leaf: how many steps lead up to the root."""
    root = len(parent) - 1
    length = 0
    while leaf != root:
        leaf = parent[leaf]
        length += 1
    return length


def main():
    tokens = sys.stdin.read().split()
    symbols = tokens[1::2]
    weights = [int(token) for token in tokens[2::2]]

    parent = build_tree(weights)
    lengths = [code_length(parent, leaf) for leaf in range(len(symbols))]

    longest = max(lengths)
    print("bits:", sum(w * length for w, length in zip(weights, lengths)))
    print("lengths:", " ".join(s + str(n) for s, n in zip(symbols, lengths)))
    print("deepest:", " ".join(s for s, n in zip(symbols, lengths) if n == longest))


if __name__ == "__main__":
    main()
