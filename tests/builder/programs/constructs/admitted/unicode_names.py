n = int(input())
größe = Δ = 0
for i in range(n):
    größe += i * i
    Δ = i * i
print(größe, Δ)
