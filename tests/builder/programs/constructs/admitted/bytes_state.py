n = int(input())
data = b""
table = bytearray(4)
for i in range(n):
    data = data[-2:] + bytes([5 * i % 256])
    table[i % 4] += 1
print(data.hex(), table)
