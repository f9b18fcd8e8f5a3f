n = int(input())
odd, square = 1, 0
while odd < 2 * n:
    square += odd
    odd += 2
print(square, odd)
