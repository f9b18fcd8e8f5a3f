"""What contest pools have in common: problems, programs for them, and what is said of both."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from deskcheck.oracles.programs import Language

_ODD = re.compile(r"[^A-Za-z0-9._+-]")
_INTERACTIVE = re.compile(
    r"(?<!non-)(?<!not )(?<!not an )\binteractive (?:problem|task)\b"
    r"|\b(?:problem|task) is (?:an )?interactive\b",
    re.IGNORECASE,
)
_SEVERAL = re.compile(
    r"(?:multiple|several|many|more than one)\s+(?:\w+\s+){0,2}(?:answer|solution|way|sequence|"
    r"decomposition|partition|set|array|permutation|graph)s?\b[^.]{0,80}?\b(?:any|one|either)\b"
    r"|\b(?:print|output)\s+any\b(?:\s+of\s+(?:them|the)|\s+(?:one|suitable|valid|such))"
    r"|\bother (?:answers|solutions) are (?:also )?possible\b"
    r"|\b(?:print|output)[^.]{0,80}\bin (?:any|arbitrary) (?:order|case)\b",
    re.IGNORECASE,
)
_NEAR = re.compile(r"\b(?:absolute|relative)\b[^.]{0,40}\berror\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Why nothing comes of a program or a problem: a short reason and one line."""

    check: str
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedTest:
    """An input of a problem, as text, with the output that its authors list."""

    name: str
    input: str
    output: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """What is known of a problem before its tests are read."""

    id: str
    """As its own data call it; extra inputs lie in a folder of this name."""
    place: str
    """Where its row stands."""
    url: str
    statement: str
    tags: Mapping[str, str] = field(default_factory=dict)

    def excluded(self) -> Fault | None:
        """Why no program for this problem can be a case, as far as its statement tells."""
        if _INTERACTIVE.search(self.statement):
            detail = "its statement says that it is interactive: what is read depends on answers"
            return Fault(check="interactive", detail=detail)
        return None

    def all_tags(self) -> dict[str, str]:
        """The tags, and whether the statement says that more than one answer is right.

        Then a program that differs from a listed output need not be wrong.
        """
        kinds = {"several accepted": _SEVERAL, "near ones accepted": _NEAR}
        said = [kind for kind, pattern in kinds.items() if pattern.search(self.statement)]
        return {**self.tags, **({"answers": ", ".join(said)} if said else {})}


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """A program for a problem."""

    problem: str
    name: str
    """Unique among those of its problem, e.g. `o1-mini-1`."""
    place: str
    language: Language
    source: str
    licence: str
    author: str
    tests: Sequence[ListedTest] = ()
    """Inputs that came with the program itself."""


def safe(name: str) -> str:
    """The name as a part of an id: one with odd characters gets them replaced and a hash added."""
    plain = _ODD.sub("_", name)
    if plain == name and plain.strip("."):
        return plain
    return f"{plain}~{sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def writable(text: str) -> bool:
    """False of text with half a surrogate pair, which UTF-8 cannot write."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def first_of_each_language(
    submissions: Sequence[Submission], languages: Sequence[Language], most: int | None
) -> list[Submission]:
    """Up to `most` programs in each language, in their order; all where it is None."""
    taken: list[Submission] = []
    for each in submissions:
        same = sum(other.language == each.language for other in taken)
        if each.language in languages and (most is None or same < most):
            taken.append(each)
    return taken
