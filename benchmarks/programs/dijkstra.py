"""Shortest paths from one vertex of a random graph, with a heap of distances."""

import heapq


def graph(vertices: int, edges: int) -> dict[int, list[tuple[int, int]]]:
    state = 7
    near: dict[int, list[tuple[int, int]]] = {u: [] for u in range(vertices)}
    for _ in range(edges):
        state = (state * 1103515245 + 12345) % 2147483648
        u = (state >> 8) % vertices
        state = (state * 1103515245 + 12345) % 2147483648
        v = (state >> 8) % vertices
        weight = state % 97 + 1
        near[u].append((v, weight))
        near[v].append((u, weight))
    return near


def shortest(near: dict[int, list[tuple[int, int]]], start: int) -> dict[int, int]:
    distance = {start: 0}
    done = set()
    heap = [(0, start)]
    while heap:
        far, u = heapq.heappop(heap)
        if u in done:
            continue
        done.add(u)
        for v, weight in near[u]:
            farther = far + weight
            if v not in distance or farther < distance[v]:
                distance[v] = farther
                heapq.heappush(heap, (farther, v))
    return distance


found = shortest(graph(30_000, 120_000), 0)
print(len(found), max(found.values()))
