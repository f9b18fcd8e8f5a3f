"""Where the control statements of C++ text begin and end, worked out from tokens alone.

The text has its macros expanded for this to be exact. In any other text the answer is a good
guess, and never an exception.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from deskcheck.oracles.runtimes.cpp.lexing import Token

LoopKind = Literal["for", "range for", "while", "do"]
ControlKind = Literal["for", "range for", "while", "do", "if", "switch", "try"]

LOOPS: tuple[LoopKind, ...] = ("for", "range for", "while", "do")
_CONTROL = frozenset(("for", "while", "do", "if", "switch", "try"))
_OPENING = {"(": ")", "[": "]", "{": "}", "<:": "]", "<%": "}"}
_CLOSING = {")": ")", "]": "]", "}": "}", ":>": "]", "%>": "}"}
_LOOK_AHEAD = 4
_NOT_CALLED = frozenset(
    (
        *("alignas", "asm", "catch", "co_return", "co_yield", "decltype", "delete", "new"),
        *("noexcept", "operator", "requires", "return", "sizeof", "static_assert", "throw"),
        "typeof",
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """One control statement. Positions are bytes, ends are exclusive.

    `start` is that of the keyword; `end` includes the last `;` or `}`, a `catch` or an `else`. The
    body of an `if` is its first branch. `chained` says that it is the `if` of an `else if`.
    """

    kind: ControlKind
    start: int
    end: int
    body_start: int
    body_end: int
    braced: bool
    chained: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Bytes from `start` up to `end`."""

    start: int
    end: int

    def holds(self, position: int) -> bool:
        return self.start <= position < self.end


def control_statements(tokens: Sequence[Token]) -> list[Control]:
    """All of them by their keywords' positions, those in lambdas and classes among them."""
    return _Scan(tokens).controls()


def constant_evaluated(tokens: Sequence[Token]) -> list[Span]:
    """What `constexpr` and `consteval` declare: functions, lambdas and variables, to their ends."""
    return list(_Scan(tokens).constants())


@dataclass(slots=True)
class _Begun:
    """A control statement whose end is not known yet; positions are indices of tokens."""

    kind: ControlKind
    at: int
    body: int
    chained: bool = False
    body_end: int = -1


class _Scan:
    """Positions here are indices into the tokens that are no comments and no directives."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = [t for t in tokens if t.kind not in {"comment", "directive"}]
        # Never a word: in this text a string may look like a brace or a keyword.
        self._words = [
            t.text if t.kind in {"identifier", "punctuator"} else "" for t in self._tokens
        ]
        self._words += [""] * _LOOK_AHEAD
        self._size = len(self._tokens)
        self._partner = _partners(self._words)
        self._ended_by_do: set[int] = set()
        self._found: dict[int, Control] = {}

    def controls(self) -> list[Control]:
        for at, word in enumerate(self._words):
            if word in _CONTROL and at not in self._found and at not in self._ended_by_do:
                self._statement(at)
        return [self._found[at] for at in sorted(self._found)]

    def constants(self) -> Iterator[Span]:
        end = 0
        for at, word in enumerate(self._words):
            if at < end or word not in {"constexpr", "consteval"}:
                continue
            if self._before(at) not in {"if", "!"}:
                end = self._declaration_end(at + 1)
                yield Span(start=self._tokens[at].start, end=self._tokens[end - 1].end)

    def _before(self, at: int) -> str:
        return self._words[at - 1] if at else ""

    def _past(self, at: int) -> int:
        """The index after a bracket's partner, or after this token if it opens nothing."""
        return self._partner.get(at, at) + 1

    def _past_group(self, at: int) -> int:
        return self._past(at) if self._words[at] == "(" else at

    def _statement(self, at: int) -> int:
        """Record the control statements that begin here without a brace between; the end."""
        pending: list[_Begun] = []
        chained = False
        while True:
            at = self._past_labels(at)
            word = self._words[at]
            if word in _CONTROL:
                begun = self._begin(word, at, chained)
                pending.append(begun)
                at, chained = begun.body, False
                if word != "try":
                    continue
            at = self._simple_end(at)
            while pending:
                begun = pending.pop()
                has_else = begun.body_end >= 0
                if not has_else:
                    begun.body_end = at
                    at = self._end(begun, at)
                    if begun.kind == "if" and self._words[at] == "else":
                        pending.append(begun)
                        at, chained = at + 1, self._words[at + 1] == "if"
                        break
                self._record(begun, at)
            else:
                return at

    def _begin(self, word: str, at: int, chained: bool) -> _Begun:
        body = at + 1
        if word in {"do", "try"}:
            return _Begun(word, at, body)  # type: ignore[arg-type]
        if word == "if":
            while self._words[body] in {"constexpr", "consteval", "!", "not"}:
                body += 1
        kind: ControlKind = word  # type: ignore[assignment]
        if word == "for":
            body += self._words[body] == "co_await"
            kind = self._kind_of_for(body)
        return _Begun(kind, at, self._past_group(body), chained)

    def _kind_of_for(self, opening: int) -> LoopKind:
        at, semicolons, closing = opening + 1, 0, self._partner.get(opening, opening)
        while at < closing:
            semicolons += self._words[at] == ";"
            at = self._past(at)
        return "for" if semicolons >= 2 or closing == opening else "range for"

    def _end(self, begun: _Begun, at: int) -> int:
        """The end of a statement whose body ends at `at`, an `else` left out."""
        if begun.kind == "do" and self._words[at] == "while":
            self._ended_by_do.add(at)
            at = self._past_group(at + 1)
            return at + (self._words[at] == ";")
        while begun.kind == "try" and self._words[at] == "catch":
            at = self._past(self._past_group(at + 1))
        return at

    def _record(self, begun: _Begun, end: int) -> None:
        body = min(begun.body, self._size - 1)
        last = max(min(begun.body_end, self._size), body + 1)
        self._found[begun.at] = Control(
            kind=begun.kind,
            start=self._tokens[begun.at].start,
            end=self._tokens[max(min(end, self._size), last) - 1].end,
            body_start=self._tokens[body].start,
            body_end=self._tokens[last - 1].end,
            braced=self._words[body] in {"{", "<%"},
            chained=begun.chained,
        )

    def _past_labels(self, at: int) -> int:
        """The index after attributes and labels, those of `switch` included."""
        while True:
            word = self._words[at]
            if word == "[" and self._words[at + 1] == "[":
                at = self._past(at)
            elif word == "case":
                at = self._past_case(at + 1)
            elif self._words[at + 1] == ":" and self._tokens[at].kind == "identifier":
                at += 2
            elif self._is_unexpanded(at):
                at = self._past(at + 1)
            else:
                return at
            if at >= self._size:
                return self._size

    def _past_case(self, at: int) -> int:
        questions = 0
        while at < self._size and self._words[at] not in {";", "}"}:
            if self._words[at] == "?":
                questions += 1
            elif self._words[at] == ":":
                questions -= 1
                if questions < 0:
                    return at + 1
            at = self._past(at)
        return at

    def _is_unexpanded(self, at: int) -> bool:
        """Is it `rep(i, n) statement`, with a macro that stands for a loop's head?"""
        if at >= self._size or self._tokens[at].kind != "identifier":
            return False
        word = self._words[at]
        if word in _CONTROL or word in _NOT_CALLED or self._words[at + 1] != "(":
            return False
        after = self._past(at + 1)
        if after >= self._size:
            return False
        return self._words[after] == "{" or (
            self._tokens[after].kind == "identifier"
            and self._words[after] not in {"and", "or", "xor", "bitand", "bitor", "not_eq"}
        )

    def _simple_end(self, at: int) -> int:
        """The end of a block, an expression statement or a declaration."""
        if self._words[at] in {"{", "<%"}:
            return self._past(at)
        begin = at
        while at < self._size and self._words[at] not in _CLOSING:
            if self._words[at] == ";":
                return at + 1
            if at > begin and (self._words[at] in _CONTROL or self._words[at] == "else"):
                break  # only a macro that was not expanded can stand before these
            at = self._past(at)
        return at

    def _declaration_end(self, at: int) -> int:
        """The end of a variable with its initialiser, or of a function with its body."""
        initialised = False
        while at < self._size and self._words[at] not in _CLOSING:
            word = self._words[at]
            if word == ";":
                return at + 1
            initialised = initialised or (word == "=" and self._before(at) != "operator")
            at = self._past(at)
            if word in {"{", "<%"} and not initialised and self._words[at] not in {",", "{", ";"}:
                return at
        return at


def _partners(words: Sequence[str]) -> dict[int, int]:
    """For each opening bracket the index of its closing one; those without are left out."""
    partners: dict[int, int] = {}
    begun: list[int] = []
    for at, word in enumerate(words):
        if word in _OPENING:
            begun.append(at)
        elif word in _CLOSING:
            # A bracket that was never closed is passed over where the one around it is.
            for depth in range(len(begun) - 1, -1, -1):
                if _OPENING[words[begun[depth]]] == _CLOSING[word]:
                    partners[begun[depth]] = at
                    del begun[depth:]
                    break
    return partners
