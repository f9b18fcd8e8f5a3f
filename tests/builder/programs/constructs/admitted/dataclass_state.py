from dataclasses import dataclass


@dataclass
class Point:
    x: int
    y: int = 0


def walk(n):
    at = Point(0)
    trail = []
    for i in range(n):
        at.x += i
        at.y += 1
        trail.append(Point(at.x, at.y))
        del trail[:-3]
    print(at)
    print(trail[0].x)


walk(int(input()))
