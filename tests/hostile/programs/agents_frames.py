# Tries: walks up its frames to what runs it
# Comes to: refused on sight
# Verdict: source/looks_at_its_own_frames
try:
    raise ValueError
except ValueError as error:
    frame = error.__traceback__.tb_frame
while frame.f_back:
    frame = frame.f_back
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
