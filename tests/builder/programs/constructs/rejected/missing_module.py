import no_such_module_anywhere

n = int(input())
total = 0
for i in range(n):
    total += no_such_module_anywhere.square(i)
print(total)
