class Node:
    def __init__(self, value, before):
        self.value = value
        self.sum = value + (before.sum if before else 0)


n = int(input())
node = None
for i in range(n):
    node = Node(i, node)
print(node.value, node.sum)
