for i in range((total := 0) or (n := int(input()))):
    total += i * i
print("total", total, n)
