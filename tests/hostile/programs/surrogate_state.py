# Tries: keeps a lone surrogate in its state
# Comes to: another value is asked for, or the state has it by its escape
# Verdict: admitted
n = int(input())
text, total = "", 0
for k in range(n):
    text = chr(0xD800 + k)
    total = (total * 7 + k) % 1009
print(total)
