n = int(input())
third = 0.0
pairs = []
power = 1.0
for i in range(n):
    third += 1 / 3
    pairs = [(i, i / 8), (-i, i / 3)]
    power *= 1.5
print(f"{third:.3f} {power:.3f}" if pairs else "none")
