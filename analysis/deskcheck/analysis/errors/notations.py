"""Is an answer right but for how it is written? Stated looser comparisons, each with its name.

Nothing is evaluated: a text is rewritten piece by piece and then read as strictly as any.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from deskcheck.analysis.errors.moments import canonical
from deskcheck.oracles.equivalence import Rule, compare
from deskcheck.oracles.expressions import Json
from deskcheck.oracles.replies import Read, Unread, read_json

LONGEST = 20_000
"""Characters of an answer that is looked at; states and outputs of a dataset are far shorter."""

UNMARKED = 12
"""Characters of an expected output that is looked for in the middle of an unmarked reply."""

_MARKUP = re.compile(r"[`*]+")
_PIECE = re.compile(
    r"""
      (?P<double>"(?:[^"\\]|\\.)*+"?)
    | (?P<single>'(?:[^'\\]|\\.)*+'?)
    | (?P<name>[^\W\d]\w*+)
    | (?P<comma>,)(?=\s*[\]})])
    | (?P<bracket>[()])
    """,
    re.DOTALL | re.VERBOSE,
)
_KEY = re.compile(r"\s*:")
_WORDS = {"True": "true", "False": "false", "None": "null", "nan": "NaN", "inf": "Infinity"}
_SAME_WORDS = ({"true"}, {"false"}, {"yes"}, {"no"}, {"none", "null"}, {"nan"}, {"inf", "infinity"})
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?", re.ASCII)
_MARKS = re.compile(r"[\[\](){},;:\"']")


def loosely(rule: Rule, expected: str, given: str) -> tuple[str, ...] | None:
    """In what the answer is written otherwise, where in all else it is right; else None.

    An answer that the strict rule calls right gives an empty tuple.
    """
    if max(len(expected), len(given)) > LONGEST:
        return None
    if same_state(expected, given) if rule == "json" else compare(rule, expected, given) is None:
        return ()
    found = _as_json(expected, given) if rule == "json" else _as_text(expected, given)
    return None if found is None else tuple(sorted(found))


@lru_cache(maxsize=4096)
def reading(text: str) -> Read | Unread:
    """A text read strictly; texts of one case are read many times. Nobody may change the value."""
    return read_json(text)


def same_state(expected: str, given: str) -> bool:
    """Do two texts hold the same by the rule `json`?"""
    one, other = reading(expected), reading(given)
    if isinstance(one, Read) and isinstance(other, Read):
        return canonical(one.value) == canonical(other.value)
    return False


def unmarked(rule: Rule, expected: str, given: str) -> bool:
    """True where an unmarked reply ends with the expected answer, or a long one stands in it."""
    if max(len(expected), len(given)) > LONGEST:
        return False
    if rule == "json":
        text = "".join(_MARKUP.sub("", given).split())
        return "".join(expected.split()) in text
    words, wanted = _MARKUP.sub(" ", given).split(), expected.split()
    if not wanted or len(wanted) >= len(words):
        return False
    tail = words[-len(wanted) :]
    if tail == wanted or [*tail[:-1], tail[-1].rstrip(".")] == wanted:
        return True
    whole = " ".join(wanted)
    return len(whole) >= UNMARKED and f" {whole} " in f" {' '.join(words)} "


def _as_json(expected: str, given: str) -> set[str] | None:
    truth, read = reading(expected), reading(given)
    notes: set[str] = set()
    if isinstance(read, Unread):
        text, notes = _unwrapped(given)
        text, changes = rewritten(text)
        read, notes = reading(text), notes | changes
    if isinstance(truth, Unread) or isinstance(read, Unread):
        return None
    more = _top(truth.value, read.value)
    return None if more is None else notes | more


def _as_text(expected: str, given: str) -> set[str] | None:
    text, notes = _unwrapped(given)
    wanted, words = expected.split(), text.split()
    if not wanted or not words:
        return None
    if wanted == words:
        return notes or {"whitespace"}
    same = _tokens(wanted, words)
    if same is None:
        same = _literals(expected, text)
    if same is None:
        same = _separators(expected, text)
    return None if same is None else notes | same


def _unwrapped(given: str) -> tuple[str, set[str]]:
    """Without a code fence or back-quotes around all of it."""
    text = given.strip()
    first, _, rest = text.partition("\n")
    if first.startswith(("```", "~~~")) and rest.endswith(first[:3]):
        return rest.rstrip(first[0]), {"code fence"}
    if len(text) > 2 and text[0] == text[-1] == "`" and "`" not in text.strip("`"):
        return text.strip("`"), {"back-quotes"}
    return given, set()


def rewritten(text: str) -> tuple[str, set[str]]:
    """Notation of Python and of loose JSON as JSON, and the name of each change."""
    notes: set[str] = set()

    def piece(found: re.Match[str]) -> str:
        written = found[0]
        match found.lastgroup:
            case "single" if len(written) > 1 and written.endswith("'"):
                notes.add("single quotes")
                body = written[1:-1].replace("\\'", "'").replace('"', '\\"')
                return f'"{body}"'
            case "name" if _KEY.match(text, found.end()):
                notes.add("keys without quotes")
                return f'"{written}"'
            case "name" if written in _WORDS:
                notes.add(f"{written} for {_WORDS[written]}")
                return _WORDS[written]
            case "comma":
                notes.add("trailing comma")
                return ""
            case "bracket":
                notes.add("parentheses")
                return "[" if written == "(" else "]"
        return written

    return _PIECE.sub(piece, text), notes


def _top(expected: Json, given: Json) -> set[str] | None:
    """The differences in notation between two whole states; None where there are others."""
    same = _values(expected, given)
    if same is not None or not isinstance(expected, dict):
        return same
    if isinstance(given, dict):
        if expected.keys() < given.keys():
            return _noted(_values(expected, {key: given[key] for key in expected}), "further keys")
        if len(given) == 1 and not given.keys() & expected.keys():
            return _noted(_values(expected, next(iter(given.values()))), "one more layer")
        return None
    if len(expected) == 1:
        alone = _noted(_values(next(iter(expected.values())), given), "no key")
        if alone is not None:
            return alone
    if isinstance(given, list) and len(given) == len(expected) > 1:
        return _noted(_values(list(expected.values()), given), "no keys")
    return None


def _noted(found: set[str] | None, note: str) -> set[str] | None:
    return None if found is None else found | {note}


def _values(expected: Json, given: Json) -> set[str] | None:
    match expected, given:
        case dict(), dict():
            if expected.keys() != given.keys():
                return None
            return _all([(expected[key], given[key]) for key in expected])
        case list(), list():
            if len(expected) == len(given):
                return _all(list(zip(expected, given, strict=True)))
            return None
        case list(), dict():
            return _noted(_pairs(expected, given), "an object for pairs")
        case dict(), list():
            return _noted(_pairs(given, expected), "pairs for an object")
    return _atoms(expected, given)


def _all(pairs: Sequence[tuple[Json, Json]]) -> set[str] | None:
    notes: set[str] = set()
    for expected, given in pairs:
        found = _values(expected, given)
        if found is None:
            return None
        notes |= found
    return notes


def _pairs(pairs: Sequence[Json], mapping: dict[str, Json]) -> set[str] | None:
    """Do pairs in any order say what an object says, whose keys are all texts?"""
    if not mapping or len(pairs) != len(mapping):
        return None
    notes: set[str] = set()
    for pair in pairs:
        if not isinstance(pair, list) or len(pair) != 2 or isinstance(pair[0], list | dict):
            return None
        key = pair[0] if isinstance(pair[0], str) else canonical(pair[0])
        found = _values(pair[1], mapping[key]) if key in mapping else None
        if found is None:
            return None
        notes |= found
    return notes


def _atoms(expected: Json, given: Json) -> set[str] | None:
    if isinstance(expected, list | dict) or isinstance(given, list | dict):
        return None
    if type(expected) is type(given) and canonical(expected) == canonical(given):
        return set()
    if isinstance(expected, str) and isinstance(given, str):
        return None
    if isinstance(given, str) or isinstance(expected, str):
        texts = {
            _WORDS.get(each, each) if isinstance(each, str) else canonical(each)
            for each in (expected, given)
        }
        return {"quotes around a value"} if len(texts) == 1 else None
    if isinstance(expected, bool) or isinstance(given, bool):
        both = {expected, given}
        return {"1 or 0 for true or false"} if both <= {0, 1} and len(both) == 1 else None
    if expected is None or given is None:
        return None
    return {"1.0 for 1"} if expected == given else None


def _tokens(wanted: Sequence[str], words: Sequence[str]) -> set[str] | None:
    if len(wanted) != len(words):
        return None
    notes: set[str] = set()
    for one, other in zip(wanted, words, strict=True):
        found = _token(one, other)
        if found is None:
            return None
        notes |= found
    return notes


def _token(wanted: str, word: str) -> set[str] | None:
    if wanted == word:
        return set()
    small = {wanted.casefold(), word.casefold()}
    if any(small <= same for same in _SAME_WORDS):
        return {"case or name of a word"}
    if _number(wanted) is not None and _number(wanted) == _number(word):
        return {"notation of a number"}
    bare, other = wanted.strip("\"'`,;"), word.strip("\"'`,;")
    return {"quotes or commas"} if bare == other != "" else None


def _number(token: str) -> Decimal | None:
    if len(token) > 400 or not _NUMBER.fullmatch(token):
        return None
    try:
        return Decimal(token)
    except InvalidOperation:
        return None


def _literals(expected: str, given: str) -> set[str] | None:
    """Both are lists or the like, of which an output shows Python's notation."""
    if expected.lstrip()[:1] not in ("[", "(", "{", "'", '"'):
        return None
    wanted, _ = rewritten(expected)
    text, _ = rewritten(given)
    truth, read = read_json(wanted), read_json(text)
    if isinstance(truth, Read) and isinstance(read, Read):
        return _noted(_values(truth.value, read.value), "notation of a list")
    return None


def _separators(expected: str, given: str) -> set[str] | None:
    """The same words, where one of the two has no bracket, comma, colon or quote at all."""
    if bool(_MARKS.search(expected)) == bool(_MARKS.search(given)):
        return None
    wanted, words = _MARKS.sub(" ", expected).split(), _MARKS.sub(" ", given).split()
    return {"brackets or separators"} if wanted == words != [] else None
