n = int(input())
total = 0
for x in range(n) :   total += x * x   # squares
else : total = -total  # turned round
print("sum", total)
