"""Dijkstra's algorithm: a shortest route in a road map without negative lengths.

Input: the number of places, the start and the goal; then one line for each place with pairs
"neighbour length" (every road is listed at both of its ends).
Output: the length of the shortest route, the route itself (of several equally short ones, the
one with the smaller numbers when read from the goal), and the place farthest from the start.
"""

import heapq
import sys


def distances_from(start, roads):
    """Lengths of the shortest routes from `start` to every place."""
    longer_than_any = 1 + sum(length for row in roads for _, length in row)
    distance = [longer_than_any] * len(roads)
    distance[start] = 0
    queue = [(0, start)]
    while queue:
        reached, place = heapq.heappop(queue)
        if reached > distance[place]:
            continue  # an old entry: a shorter route has been found since
        for neighbour, length in roads[place]:
            if reached + length < distance[neighbour]:
                distance[neighbour] = reached + length
                heapq.heappush(queue, (reached + length, neighbour))
    return distance


def route_to(goal, start, roads, distance):
    """Walk back from the goal along roads that lie on a shortest route."""
    route = [goal]
    while route[-1] != start:
        place = route[-1]
        route.append(
            min(
                before
                for before, length in roads[place]
                if distance[before] + length == distance[place]
            )
        )
    return route[::-1]


def main():
    header, *lines = sys.stdin.read().splitlines()
    _, start, goal = map(int, header.split())
    rows = [[int(word) for word in line.split()] for line in lines]
    roads = [list(zip(row[0::2], row[1::2])) for row in rows]

    distance = distances_from(start, roads)
    print(distance[goal])
    print(*route_to(goal, start, roads, distance))
    print("farthest", distance.index(max(distance)), max(distance))


if __name__ == "__main__":
    main()
