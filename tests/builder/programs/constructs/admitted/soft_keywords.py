n = int(input())
match = case = type = 0
for _ in range(n):
    match += _ * _
    case += _
    type = type + 1
print(match, case, type)
