# Tries: expands a megabyte to a gigabyte
# Comes to: ended by its own error or a limit
# Verdict: legal_inputs/memory_limit
# Cpu: 6
import zlib
packed = zlib.compress(b"\0" * 100_000_000, 9)
text = b"".join(zlib.decompress(packed) for _ in range(30))
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
