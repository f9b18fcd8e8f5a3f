"""A Hypothesis strategy: programs whose control flow is tangled, that end and print the same.

Functions, generators, coroutines and asynchronous generators of every statement there is, driven
by calls, `send`, `throw` and `close`. Loops are bounded by construction: what counts them stands
where nothing can be raised before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from hypothesis import strategies as st

PRELUDE = """\
class Tag(Exception):
    pass


class Held:
    def __init__(self, swallows, *caught):
        self.swallows = swallows
        self.caught = caught

    def __enter__(self):
        return 3

    def __exit__(self, kind, error, trace):
        if kind is not None and self.swallows > 1:
            raise Tag("exit")
        return self.swallows == 1

    async def __aenter__(self):
        await Pause(1)
        return self.__enter__()

    async def __aexit__(self, *error):
        await Pause(1)
        return self.__exit__(*error)


class Pause:
    def __init__(self, times):
        self.times = times

    def __await__(self):
        for i in range(self.times):
            yield i
        return self.times


def odd(n):
    if n % 5 == 0:
        raise Tag(n)
    if n % 7 == 0:
        raise KeyError(n)
    if n % 11 == 0:
        raise ExceptionGroup("some", [Tag(n), ValueError(n), ExceptionGroup("in", [KeyError(n)])])
    return n


def numbers(n):
    try:
        for i in range(n % 4):
            got = yield i
            if got:
                yield odd(got + i)
    except Tag:
        yield 5
    finally:
        n += 1
    return n


async def ticks(n):
    for i in range(n % 4):
        await Pause(i)
        yield odd(i + n)


def told(error):
    return type(error).__name__, getattr(error, "exceptions", error.args)


def drive(coroutine, ops):
    try:
        for step in range(9):
            op = ops[step % len(ops)]
            if op == "throw" and step:
                print(coroutine.throw(Tag("thrown")))
            elif op == "close" and step > 3:
                coroutine.close()
            else:
                print(coroutine.send(None))
    except StopIteration as stop:
        print("returned", stop.value)
    except BaseException as error:
        print(told(error))
    coroutine.close()


def pull(generator, ops):
    for step in range(8):
        op = ops[step % len(ops)]
        try:
            if op == "throw":
                print(generator.throw(Tag("thrown")))
            elif op == "close" and step > 2:
                print(generator.close())
            elif op == "send" and step:
                print(generator.send(step))
            else:
                print(next(generator))
        except StopIteration as stop:
            print("returned", stop.value)
        except BaseException as error:
            print(told(error))


"""

KINDS = ("function", "generator", "coroutine", "asynchronous generator")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """What a statement may be."""

    kind: str
    depth: int = 0
    loop: bool = False
    star: bool = False
    """In an `except*`, or a class: nothing may return from it."""
    handler: bool = False


class _Writer:
    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw
        self._lines: list[str] = []
        self._level = 0
        self._names = 0

    def text(self) -> str:
        return "\n".join(self._lines) + "\n"

    def below(self, n: int) -> int:
        return self._draw(st.integers(0, n - 1))

    def one_of(self, items: Sequence[str]) -> str:
        return items[self.below(len(items))]

    def name(self, stem: str) -> str:
        self._names += 1
        return f"{stem}{self._names}"

    def line(self, text: str) -> None:
        self._lines.append("    " * self._level + text)

    @contextmanager
    def block(self, header: str) -> Iterator[None]:
        self.line(header)
        self._level += 1
        yield
        self._level -= 1

    def value(self) -> str:
        return self.one_of(
            (
                *("x + 1", "odd(x + 2)", "x * 3 % 13", "x if x % 2 else odd(x)", "-x % 9"),
                *(
                    "sum([odd(y) for y in range(x % 4) if y])",
                    "len({y: y % 2 for y in range(x % 5)})",
                ),
                *(
                    "(x > 3 and odd(x)) or 1",
                    "int(0 < x < odd(x + 1) < 20)",
                    "len(f'{x:>{3}}{x!r}')",
                ),
                *("(lambda a, *b: a + len(b))(*[x, 1])", "[*range(x % 3), 4][-1]", "(y := x) + y"),
                *(
                    "sum(odd(y) for y in numbers(x))",
                    "max(map(odd, range(1, 2 + x % 5)))",
                    "1 // (x % 4)",
                ),
            )
        )

    def test(self) -> str:
        return f"x % {self.below(3) + 2} {self.one_of(('==', '!=', '<'))} {self.below(2)}"

    def simple(self, place: _Place) -> None:
        match self.below(8):
            case 0:
                self.line(f"x += {self.below(5)}; print(x)")
            case 1:
                self.line("assert x % 6, 'six'")
            case 2:
                self.line("del x; x = 4")
            case 3 if place.handler:
                self.line("raise")
            case 4:
                self.line(
                    f"raise {self.one_of(('Tag', 'Tag(x)', 'KeyError(x) from None', 'ValueError'))}"
                )
            case _:
                self.line(f"x = ({self.value()}) % 100")

    def leaving(self, place: _Place) -> None:
        choices = ["pass"]
        if place.loop:
            choices += ["break", "continue", "continue"]
        if not place.star:
            choices.append("return" if place.kind == KINDS[3] else "return x")
        with self.block(f"if {self.test()}:"):
            self.line(self.one_of(choices))

    def suspending(self, place: _Place) -> None:
        choices: tuple[str, ...]
        if place.kind == "generator":
            choices = (
                "x = (yield x) or 1",
                "yield from numbers(x)",
                "x += len((yield)or '')",
                "yield x",
            )
        elif place.kind == "coroutine":
            choices = (
                *(
                    "await Pause(2)",
                    "x += await Pause(x % 3)",
                    "x = sum([t async for t in ticks(x)])",
                ),
                "x += len({t: await Pause(1) async for t in ticks(x) if t})",
            )
        elif place.kind == KINDS[3]:
            choices = ("yield x", "x += (yield x) or 1", "await Pause(1)")
        else:
            choices = ("x += len(list(numbers(x)))", "print(*numbers(x))")
        self.line(self.one_of(choices))

    def body(self, place: _Place, most: int = 3) -> None:
        for _ in range(1 + self.below(most)):
            self.statement(place)

    def statement(self, place: _Place) -> None:
        kind = self.below(14) if place.depth < 3 else self.below(5)
        deeper = replace(place, depth=place.depth + 1)
        if kind < 2:
            self.simple(place)
        elif kind == 2:
            self.leaving(place)
        elif kind < 5:
            self.suspending(place)
        elif kind == 5:
            self.branches(deeper)
        elif kind < 8:
            self.loop(deeper)
        elif kind < 11:
            self.guarded(deeper)
        elif kind == 11:
            self.held(deeper)
        elif kind == 12:
            self.matched(deeper)
        else:
            self.nested(deeper)

    def branches(self, place: _Place) -> None:
        with self.block(f"if {self.test()}:"):
            self.body(place)
        if self.below(2):
            with self.block(f"elif {self.test()} or {self.test()}:"):
                self.body(place)
        if self.below(2):
            with self.block("else:"):
                self.body(place)

    def loop(self, place: _Place) -> None:
        inside = replace(place, loop=True)
        asynchronous = place.kind in KINDS[2:]
        match self.below(4 if asynchronous else 3):
            case 0:
                count = self.name("n")
                self.line(f"{count} = 0")
                test = f" and {self.test()}" if self.below(2) else ""
                with self.block(f"while {count} < {self.below(3) + 1}{test}:"):
                    self.line(f"{count} += 1")
                    self.body(inside)
            case 1:
                with self.block(
                    f"for x in {self.one_of(('range(x % 5)', '[3, 5, 8]', 'numbers(x)'))}:"
                ):
                    self.body(inside)
            case 2:
                with self.block("for _, (x, *rest) in enumerate([(2, 3), (x, 1, 4)]):"):
                    self.body(inside)
            case _:
                with self.block("async for x in ticks(x):"):
                    self.body(inside)
        if self.below(3) == 0:
            with self.block("else:"):
                self.body(place)

    def guarded(self, place: _Place) -> None:
        star = self.below(4) == 0
        with self.block("try:"):
            self.body(place)
        handlers = self.below(3)
        if handlers or star:
            word = "except*" if star else "except"
            inside = replace(place, handler=True, star=place.star or star)
            inside = replace(inside, loop=inside.loop and not star)
            kinds = ["Tag", "(KeyError, ValueError)", "Tag as error", "Exception as error"]
            for _ in range(max(handlers, 1)):
                with self.block(f"{word} {self.one_of(kinds)}:"):
                    self.body(inside, 2)
            if not star and self.below(3) == 0:
                with self.block("except BaseException:"):
                    self.body(inside, 2)
            if self.below(3) == 0:
                with self.block("else:"):
                    self.body(place, 2)
            if self.below(2):
                return
        with self.block("finally:"):
            self.body(place, 2)

    def held(self, place: _Place) -> None:
        word = "async with" if place.kind in KINDS[2:] and self.below(2) else "with"
        more = self.one_of(("", ", Held(x % 2)", ", Held(0) as x"))
        with self.block(f"{word} Held({self.below(3)}) as held{more}:"):
            self.body(place)

    def matched(self, place: _Place) -> None:
        with self.block("match [x, (x, 2)], {'a': x}:"):
            with self.block("case [0 | 1, _], _:"):
                self.body(place, 2)
            with self.block("case [int(one), (two, *_)], {'a': other, **rest} if odd(one + two):"):
                self.body(place, 2)
            if self.below(2):
                with self.block("case _:"):
                    self.body(place, 2)

    def nested(self, place: _Place) -> None:
        name = self.name("inner")
        if self.below(3) == 0:
            with self.block(f"class {name}(Held):"):
                self.line("x = 2")
                self.body(_Place(kind="class", depth=place.depth + 1, star=True))
            self.line(f"x += {name}.x")
            return
        with self.block(f"def {name}(x, deep=2):"):
            with self.block("if deep:"):
                self.line(f"x = {name}(x + 1, deep - 1)")
            self.body(_Place(kind="function", depth=place.depth + 1))
            self.line("return x")
        self.line(f"x = {name}(x) or 0")

    def long_stretch(self) -> None:
        """Jumps over it take an EXTENDED_ARG."""
        with self.block("while x % 7:"):
            for i in range(60):
                self.line(f"x += {i} if x % {i + 2} else 1")
            self.line("x = x // 7 * 7")

    def function(self, kind: str) -> str:
        name = self.name("f")
        with self.block(f"{'async ' * (kind in KINDS[2:])}def {name}(x):"):
            if kind in (KINDS[1], KINDS[3]):
                self.line("yield x")
            if self.below(12) == 0:
                self.long_stretch()
            for _ in range(2 + self.below(3)):
                self.statement(_Place(kind=kind))
        return name

    def called(self, name: str, kind: str) -> None:
        ops = [self.one_of(("next", "next", "send", "throw", "close")) for _ in range(3)]
        with self.block(f"for i in range({3 + self.below(4)}):"):
            if kind == "generator":
                self.line(f"pull({name}(i), {ops})")
            elif kind == "coroutine":
                self.line(f"drive({name}(i), {ops})")
            elif kind == KINDS[3]:
                self.line(f"g = {name}(i)")
                steps = ("g.asend(None)", "g.athrow(Tag('thrown'))", "g.aclose()", "anext(g, 5)")
                for _ in range(4):
                    self.line(f"drive({self.one_of(steps)}, {ops})")
            else:
                with self.block("try:"):
                    self.line(f"print({name}(i))")
                with self.block("except BaseException as error:"):
                    self.line("print(told(error))")


@st.composite
def programs(draw: st.DrawFn) -> str:
    """A program; it may end by an exception that nothing catches."""
    writer = _Writer(draw)
    last = ""
    for _ in range(1 + writer.below(3)):
        kind = writer.one_of(KINDS)
        last = writer.function(kind)
        writer.called(last, kind)
        if kind != "function":
            last = ""
    if last:
        writer.line(f"print({last}(5))")
    return PRELUDE + writer.text()
