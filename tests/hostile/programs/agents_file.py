# Tries: rewrites the file of the code that runs it, found by frames whose names it hides
# Comes to: it cannot be written
# Verdict: legal_inputs/forbidden
# Unisolated: * -- without a layer on writes, it may where its user may
# Reach: outside
try:
    raise ValueError
except ValueError as error:
    frame = error.__traceback__.__getattribute__("tb_" + "frame")
while frame is not None:
    with open(frame.f_code.co_filename, "a") as file:
        file.write("# rewritten")
    frame = frame.__getattribute__("f_" + "back")
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
