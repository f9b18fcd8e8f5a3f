class Graph:
    """Stands in for networkx.Graph: what is used of it here."""

    directed = False

    def __init__(self):
        self.graph = {}
        self.nodes = {}
        self._adj = self.adj = self._succ = self.succ = {}
        self._pred = self.pred = {} if self.directed else self._adj

    def __iter__(self):
        return iter(self._adj)

    def __len__(self):
        return len(self._adj)

    def __contains__(self, node):
        return node in self._adj

    def __getitem__(self, node):
        return self._adj[node]

    def is_directed(self):
        return self.directed

    def is_multigraph(self):
        return False

    def add_node(self, node, **attributes):
        if node not in self._adj:
            self._adj[node] = {}
            self._pred.setdefault(node, {})
            self.nodes[node] = {}
        self.nodes[node].update(attributes)

    def add_nodes_from(self, nodes):
        for node in nodes:
            self.add_node(node)

    def add_edge(self, u, v, **attributes):
        self.add_node(u)
        self.add_node(v)
        data = self._adj[u].setdefault(v, {})
        data.update(attributes)
        self._pred[v][u] = data

    def has_edge(self, u, v):
        return v in self._adj[u]

    def neighbors(self, node):
        return iter(self._adj[node])

    def successors(self, node):
        return iter(self._adj[node])

    def degree(self):
        return [(node, len(row)) for node, row in self._adj.items()]

    def in_degree(self):
        return [(node, len(row)) for node, row in self._pred.items()]

    def edges(self, node=None, data=False):
        found = []
        seen = set()
        for u in self if node is None else [node]:
            found += [(u, v, attributes) for v, attributes in self._adj[u].items() if v not in seen]
            if not self.directed:
                seen.add(u)
        return found if data else [(u, v) for u, v, _ in found]


class DiGraph(Graph):
    """Stands in for networkx.DiGraph: what is used of it here."""

    directed = True
