"""Numbers and foreign text as a report writes them."""

from __future__ import annotations

from dataclasses import dataclass


def percent(share: float) -> str:
    """Percent with one digit and no sign for it, such as 62.5."""
    return f"{100 * share:.1f}"


def p_value(value: float) -> str:
    """A p-value with three digits; no smaller one is told apart from others."""
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def digits(value: float) -> str:
    """Whole numbers without a fraction; others with the digits that are of use."""
    if value == int(value) or abs(value) >= 1_000:
        return f"{value:,.0f}"
    return f"{value:,.1f}" if abs(value) >= 10 else f"{value:.2f}"


def harmless(text: str) -> str:
    """The text with every character escaped that is not plainly visible, line ends excepted.

    So no control character, bidirectional mark or lone surrogate reaches a page or a file.
    """
    if text.isprintable():
        return text
    return "".join(
        character
        if character == "\n" or character.isprintable()
        else character.encode("unicode_escape", "surrogatepass").decode("ascii")
        for character in text
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """Harmless text with one place marked; where `marked` is empty, the mark stands between."""

    before: str
    marked: str
    after: str


def excerpt(text: str, span: tuple[int, int] | None, limit: int) -> Marked:
    """About `limit` characters of the text, the beginning of the span among them, made harmless.

    What is left out is said in its place. Without a span nothing is marked, and `before` holds
    the text.
    """
    start, end = span if span else (len(text), len(text))
    before, marked, after = text[:start], text[start:end], text[end:]
    if span and not marked and not after:
        before = before.removesuffix("\n")  # else the mark would stand on a line of its own
    if len(text) > limit:
        third = limit // 3
        if span is None:
            return Marked(before=_shortened(before, limit, limit // 4), marked="", after="")
        before = _shortened(before, third, third // 3)
        marked = _shortened(marked, third, 0)
        after = _shortened(after, third, 0)
    return Marked(before=harmless(before), marked=harmless(marked), after=harmless(after))


def _shortened(text: str, limit: int, head: int) -> str:
    """At most `limit` characters: `head` of the beginning and the rest of the end.

    With a head of 0 it is all from the beginning.
    """
    if len(text) <= limit:
        return harmless(text)
    said = f" … {len(text) - limit:,} characters left out … "
    if not head:
        return harmless(text[:limit]) + said
    return harmless(text[:head]) + said + harmless(text[len(text) - limit + head :])
