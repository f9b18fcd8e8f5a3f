class Walker:
    __slots__ = ("left", "x", "y")

    def __init__(self, left):
        self.left = left
        self.x = self.y = 0


walker = Walker(int(input()))
while walker.left:
    walker.x += walker.left
    walker.y += walker.left % 2 == 0
    walker.left -= 1
print(walker.x, walker.y)
