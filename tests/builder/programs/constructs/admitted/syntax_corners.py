class Grid(dict):
    def __getitem__(self, key):
        return (key, ...)[0]


def spread(first, /, second, *rest, key=None, **others):
    return first, *rest


n = int(input())
found = {"c": 0}
text = ""
buttons = {"plain": lambda function: function}
for i, in zip(range(n)):
    @buttons["plain"]
    def triple(x=i): return x * 0x3 + 0b0 + 0o0 + 0_0 + int(0e1) + int(0j.imag)
    found = {**{"a": triple()}, "b": i + 1} | {"c": found["c"]}
    width = 5
    text = f"<{found["a"] // 3:>{width}}> {str(i)!r}" "!" rf''
print(found, text, Grid()[*"10", 1][0] + f"{10:03}"[1:] + "10"[::2][:0] + "0"[::-1][:0] + "1"[-1:][:0] + "0" * 0 + ""[:] + "0"[1:], end=" ")
print(spread(1, 0, *[2], 3, **{"x": 1}, key=b"" rb"\n"), len({*[1], 1, 2}), [*range(2)])
