# Tries: changes the counts of what watches it, found by frames whose names it hides
# Comes to: more opcodes up to the checkpoint than in all, which no run can have
# Verdict: determinism/trace_contradicts_itself
try:
    raise ValueError
except ValueError as error:
    frame = error.__traceback__.__getattribute__("tb_" + "frame")
while frame is not None:
    session = frame.__getattribute__("f_" + "locals").get("session")
    if hasattr(session, "_counter"):
        session.facts = lambda: {"opcodes": total + 5}
        break
    frame = frame.__getattribute__("f_" + "back")
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
