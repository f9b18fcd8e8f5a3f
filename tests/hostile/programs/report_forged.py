# Tries: rewrites the report of its own measuring from a finalizer, with other counts
# Comes to: noticed by its seal: nothing is admitted
# Verdict: legal_inputs/left_early
class Last:
    def __init__(self):
        self.open = open

    def __del__(self):
        for name in ("report", "report.json", "report.sealed"):
            try:
                with self.open(name) as file:
                    text = file.read()
                with self.open(name, "w") as file:
                    file.write(text.replace('"opcodes": ', '"opcodes": 1'))
            except FileNotFoundError:
                pass


last = Last()
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
