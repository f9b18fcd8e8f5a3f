"""Recursion, generators, exceptions, comprehensions, context managers, closures and classes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class Node:
    __slots__ = ("key", "left", "right")

    def __init__(self, key: int) -> None:
        self.key = key
        self.left: Node | None = None
        self.right: Node | None = None


class Tree:
    def __init__(self) -> None:
        self.root: Node | None = None
        self.size = 0

    def insert(self, key: int) -> bool:
        if self.root is None:
            self.root = Node(key)
            self.size = 1
            return True
        at = self.root
        while True:
            if key < at.key:
                if at.left is None:
                    at.left = Node(key)
                    break
                at = at.left
            elif key > at.key:
                if at.right is None:
                    at.right = Node(key)
                    break
                at = at.right
            else:
                return False
        self.size += 1
        return True

    def __iter__(self) -> Iterator[int]:
        def walk(node: Node | None) -> Iterator[int]:
            if node is not None:
                yield from walk(node.left)
                yield node.key
                yield from walk(node.right)

        return walk(self.root)


def fibonacci(n: int) -> int:
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


class TaggedError(Exception):
    pass


def risky(i: int) -> int:
    if i % 3 == 0:
        raise TaggedError(i)
    if i % 7 == 0:
        return int(f"x{i}")
    return [1, 2, 3][i % 5]


def guarded(i: int) -> int:
    try:
        return risky(i)
    except TaggedError as error:
        return int(error.args[0])
    except (ValueError, IndexError):
        return -1
    finally:
        i += 1


@contextmanager
def noted(log: list[int]) -> Iterator[int]:
    log.append(1)
    try:
        yield len(log)
    except KeyError:
        log.append(2)
    finally:
        log.append(3)


def held(i: int, log: list[int]) -> int:
    with noted(log) as size:
        if i % 2:
            raise KeyError(i)
        return size
    return -i


def paused(count: int) -> Iterator[int]:
    total = 0
    try:
        for i in range(count):
            got = yield i
            total += got or 0
    finally:
        total = -total


def main(count: int) -> tuple[int, int, int]:
    state, tree = 5, Tree()
    for _ in range(count):
        state = (state * 1103515245 + 12345) % 2147483648
        tree.insert((state >> 8) % 50000)
    total = sum(tree) + fibonacci(20) + sum(guarded(i) for i in range(count))
    log: list[int] = []
    total += sum([held(i, log) for i in range(count // 4)])
    for i in range(count // 20):
        pauses = paused(20)
        for value in pauses:
            if value == i % 25:
                break
        else:
            total += 1
        del pauses
    table = {k: [j for j in range(k % 5) if j % 2 == 0] for k in range(count) if k % 3 and k % 5}
    products = {a * b for a in range(99) for b in range(99)}
    largest, *rest = sorted(products, key=lambda value: -value)
    return total, len(table) + largest, len(rest)


print(main(110_000))
