"""Floyd-Warshall: shortest distances between all towns, then a tour through a list of stops.

Input: the numbers of towns, of roads and of stops; one line "town town length" for each road;
the stops of the tour in order.
Output: the largest distance between two towns, the length of the tour (always along a shortest
way), and the town that the tour comes to most often.
"""

import sys


def all_distances(road):
    """distance[a][b] is the length of the shortest way from a to b."""
    towns = range(len(road))
    distance = [[road[a].get(b, float("inf")) for b in towns] for a in towns]
    for town in towns:
        distance[town][town] = 0
    for middle in towns:
        for a in towns:
            for b in towns:
                detour = distance[a][middle] + distance[middle][b]
                if detour < distance[a][b]:
                    distance[a][b] = detour
    return distance


def first_step(a, b, road, distance):
    """The smallest neighbour of a that lies on a shortest way from a to b."""
    return min(by for by in road[a] if road[a][by] + distance[by][b] == distance[a][b])


def drive(stops, road, distance):
    """Visit the stops in order; return the length driven and how often each town is entered."""
    here = stops[0]
    driven = 0
    entered = [0] * len(distance)
    for stop in stops[1:]:
        driven += distance[here][stop]
        while here != stop:
            here = first_step(here, stop, road, distance)
            entered[here] += 1
    return driven, entered


def main():
    towns, count, _, *numbers = map(int, sys.stdin.read().split())
    stops = numbers[3 * count :]
    road = [{} for _ in range(towns)]
    for i in range(0, 3 * count, 3):
        a, b, length = numbers[i : i + 3]
        road[a][b] = road[b][a] = length

    distance = all_distances(road)
    driven, entered = drive(stops, road, distance)

    print("diameter", max(map(max, distance)))
    print("tour", driven)
    print("busiest town", entered.index(max(entered)), max(entered))


if __name__ == "__main__":
    main()
