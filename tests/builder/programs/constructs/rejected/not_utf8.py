# -*- coding: latin-1 -*-
n = int(input())
größe = 0
for i in range(n):
    größe += i * i
print(größe)
