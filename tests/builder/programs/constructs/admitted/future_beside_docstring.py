"""Sums squares."""; from __future__ import annotations
n: int = int(input())
total: Unknown = 0
for i in range(n):
    total += i * i
print("sum", total)
