"""Flows of least cost in random networks, by the simplex method on spanning trees."""


class Network:
    """Arcs with a capacity and a cost, and a spanning tree that bears the flow."""

    def __init__(self, demands: list[int]) -> None:
        self.count = len(demands)
        self.tails: list[int] = []
        self.heads: list[int] = []
        self.caps: list[int] = []
        self.costs: list[int] = []
        self.flows: list[int] = []
        self.demands = demands

    def add(self, tail: int, head: int, cap: int, cost: int) -> None:
        self.tails.append(tail)
        self.heads.append(head)
        self.caps.append(cap)
        self.costs.append(cost)
        self.flows.append(0)

    def start(self) -> None:
        """A tree of costly arcs between every vertex and one more."""
        root = self.count
        large = 1 + sum(map(abs, self.costs))
        self.parent = [root] * self.count + [-1]
        self.arc = []
        for u, demand in enumerate(self.demands):
            if demand > 0:
                self.add(root, u, 10**9, large)
            else:
                self.add(u, root, 10**9, large)
            self.flows[-1] = abs(demand)
            self.arc.append(len(self.flows) - 1)
        self.arc.append(-1)

    def potentials(self) -> list[int]:
        below: list[list[int]] = [[] for _ in self.parent]
        for u, p in enumerate(self.parent):
            if p >= 0:
                below[p].append(u)
        price = [0] * len(self.parent)
        stack = [self.count]
        while stack:
            u = stack.pop()
            for v in below[u]:
                arc = self.arc[v]
                cost = self.costs[arc]
                price[v] = price[u] + (cost if self.heads[arc] == v else -cost)
                stack.append(v)
        return price

    def entering(self, first: int, price: list[int]) -> int:
        """The arc of the best saving in the next block that has one, or -1."""
        arcs = len(self.flows)
        block = int(arcs**0.5) + 1
        for start in range(0, arcs, block):
            best, saving = -1, 0
            for step in range(start, min(start + block, arcs)):
                arc = (first + step) % arcs
                reduced = self.costs[arc] + price[self.tails[arc]] - price[self.heads[arc]]
                if self.flows[arc] == 0:
                    saved = -reduced
                elif self.flows[arc] == self.caps[arc]:
                    saved = reduced
                else:
                    continue
                if saved > saving:
                    best, saving = arc, saved
            if best >= 0:
                return best
        return -1

    def path(self, u: int) -> list[int]:
        found = []
        while u >= 0:
            found.append(u)
            u = self.parent[u]
        return found

    def pivot(self, entering: int) -> None:
        forward = self.flows[entering] == 0
        tail, head = self.tails[entering], self.heads[entering]
        if not forward:
            tail, head = head, tail
        up, down = self.path(tail), self.path(head)
        while up and down and up[-1] == down[-1]:
            up.pop()
            down.pop()
        room, leaving, side = self.caps[entering], -1, None
        for u in up:  # flow runs from the common vertex down to the tail
            arc = self.arc[u]
            left = self.caps[arc] - self.flows[arc] if self.heads[arc] == u else self.flows[arc]
            if left < room:
                room, leaving, side = left, u, up
        for u in down:
            arc = self.arc[u]
            left = self.flows[arc] if self.heads[arc] == u else self.caps[arc] - self.flows[arc]
            if left <= room:
                room, leaving, side = left, u, down
        self.flows[entering] += room if forward else -room
        for u in up:
            self.flows[self.arc[u]] += room if self.heads[self.arc[u]] == u else -room
        for u in down:
            self.flows[self.arc[u]] -= room if self.heads[self.arc[u]] == u else -room
        if side is None:
            return
        u, above, arc = (tail, head, entering) if side is up else (head, tail, entering)
        while True:
            following, old = self.parent[u], self.arc[u]
            self.parent[u], self.arc[u] = above, arc
            if u == leaving:
                return
            u, above, arc = following, u, old

    def solve(self) -> int:
        self.start()
        first = pivots = 0
        while pivots < 4000:
            arc = self.entering(first, self.potentials())
            if arc < 0:
                break
            self.pivot(arc)
            first = arc
            pivots += 1
        return sum(flow * cost for flow, cost in zip(self.flows, self.costs, strict=True))


def random_network(vertices: int, arcs: int, state: int) -> Network:
    demands = [0] * vertices
    drawn = []
    for _ in range(4 * arcs + 2 * vertices):
        state = (state * 1103515245 + 12345) % 2147483648
        drawn.append(state >> 8)
    for _ in range(vertices // 2):
        demands[drawn.pop() % vertices] -= 2
        demands[drawn.pop() % vertices] += 2
    network = Network(demands)
    for u in range(vertices):
        network.add(u, (u + 1) % vertices, 100, 20)
    for _ in range(arcs):
        tail, head = drawn.pop() % vertices, drawn.pop() % vertices
        if tail != head:
            network.add(tail, head, 2 + drawn.pop() % 5, 1 + drawn.pop() % 30)
    return network


print([random_network(90, 700, seed).solve() for seed in range(24)])
