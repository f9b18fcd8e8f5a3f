n = int(input())
total = 0
text = """two
lines"""
for i in range(n):
    total += i * i
    text += "."

print(total, len(text))
