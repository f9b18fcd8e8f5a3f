from collections import deque

n = int(input())
recent = deque(maxlen=3)
queue = deque()
for i in range(n):
    recent.append(i * i)
    queue.append(i)
    if i % 2:
        queue.popleft()
print(list(recent), sum(queue))
