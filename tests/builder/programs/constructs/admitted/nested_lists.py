n = int(input())
i = 0
grid = [[0] * 4 for _ in range(3)]
while i < n:
    grid[i % 3][i % 4] += i
    i += 1
print(grid[0])
print(i)
