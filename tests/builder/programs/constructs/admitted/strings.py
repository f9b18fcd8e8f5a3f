marks = "\"'\\é☃😀\t\0"
n = int(input())
text = ""
for i in range(n):
    text += marks[i % len(marks)]
print(len(text), ascii(text[-4:]))
