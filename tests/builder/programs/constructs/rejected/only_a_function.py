n = int(input())
chain = lambda x: x
for i in range(n):
    chain = lambda x, i=i, inner=chain: inner(x) + i
print(chain(0))
