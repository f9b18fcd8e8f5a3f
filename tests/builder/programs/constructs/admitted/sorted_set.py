n = int(input())
members = {i for i in range(n)}
text, total = "", 0
for x in sorted(members):
    text += chr(97 + x % 26)
    total += x * x
print(text, total, len(members))
