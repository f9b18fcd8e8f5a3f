"""Watch a C++ program from inside its own text: loop visits, and variables at declared moments.

The program is compiled from its flat text, in which every loop has a recorder around it; see
`observer.h` for what is read and how. The semantics are those of `inside.observing`.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hmac import compare_digest
from pathlib import Path
from typing import Any

from deskcheck.oracles.observations import Watch
from deskcheck.oracles.runtimes.cpp.flattening import FlatLoop, FlatProgram

JOB, REPORT = "observer.job", "observer.report"
"""Files in the program's folder: the first is there before it runs, the second after."""

WRAPPED = ("-Wl,--wrap=_exit", "-Wl,--wrap=_Exit")
"""Flags for linking: a program that leaves by these functions reports too."""

_NAMESPACE = b"deskcheck_observer"
_PLACES = {"before": 0, "inside": 1, "post": 2}
_PLACE = re.compile(r"(\((?:lambda|(?:anonymous|unnamed)[ \w]*)) at [^()]*:\d+:\d+\)")
_PLACEHOLDER = re.compile(rb"@([A-Z]+)@")

type Record = tuple[str, Sequence[str]]


def observing_source(
    flat: FlatProgram,
    names: Mapping[int, Sequence[str]] | None = None,
    records: Sequence[Record] = (),
) -> bytes:
    """The program with all its loops watched; `names` are the variables to read, by ordinal.

    A loop in what is `constexpr` is left as it is. `records` are struct types that are read field
    by field: name and fields.
    """
    namespace = _unused_name(flat.text)
    body = _with_recorders(flat, names or {}, namespace)
    filled = {
        b"RECORDS": _record_types(records),
        b"JOB": JOB.encode(),
        b"REPORT": REPORT.encode(),
        b"LOOPS": b"%d" % len(flat.loops),
    }
    head = _PLACEHOLDER.sub(lambda match: filled[match[1]], _part("observer.h"))
    own = [part.replace(_NAMESPACE, namespace) for part in (head, _part("observer_end.h"))]
    return b"\n".join((own[0], body, own[1]))


def job_text(watch: Watch, key: bytes) -> bytes:
    """What the running program is told; `watch.loops` are all of its loops in order."""
    ordinals: dict[int, int] = {}
    for ordinal, (offset, _, _) in enumerate(watch.loops):
        ordinals.setdefault(offset, ordinal)
    wanted = [
        (ordinals[moment.loop], _PLACES[moment.place], moment.activation, moment.iteration)
        for moment in watch.wanted
    ]
    watched = [
        (ordinals[loop], activation)
        for loop, activations in watch.watch.items()
        for activation in dict.fromkeys(activations)
    ]
    lines: list[Sequence[int]] = [
        (watch.keep, watch.value_budget, watch.boundary_limit),
        (len(watch.loops), *(offset for offset, _, _ in watch.loops)),
        (len(wanted),),
        *wanted,
        (len(watched),),
        *watched,
    ]
    text = "\n".join(" ".join(map(str, line)) for line in lines)
    return f"{key.hex()}\n{text}\n".encode("ascii")


def read_report(data: bytes, key: bytes) -> dict[str, Any]:
    """The report as JSON; ValueError where it is torn or not the observer's."""
    seal = key.hex().encode("ascii")
    whole = len(data) >= 2 * len(seal)
    if not (whole and compare_digest(data[: len(seal)] + data[-len(seal) :], seal + seal)):
        raise ValueError("the report has not the key of its job")
    report = json.loads(data[len(seal) : -len(seal)])
    for row in report["snapshots"]:
        for held in row["variables"].values():
            held["value"] = _readable(held["value"])
    assert isinstance(report, dict)
    return report


def loops_problem(flat: FlatProgram, loops: Sequence[tuple[int, str, int]]) -> str | None:
    """How the loops of the flat text differ from (offset, kind, line) of each; None: not at all."""
    if len(flat.loops) != len(loops):
        return f"{len(loops)} loops were found in the source and {len(flat.loops)} in its flat text"
    for ordinal, (loop, (_, kind, line)) in enumerate(zip(flat.loops, loops, strict=True), 1):
        if (loop.kind, loop.line) != (kind, line):
            return (
                f"loop {ordinal} is a {kind} of line {line} in the source"
                f" and a {loop.kind} of line {loop.line} in its flat text"
            )
    return None


@cache
def _part(name: str) -> bytes:
    return (Path(__file__).parent / name).read_bytes()


def _unused_name(text: bytes) -> bytes:
    name = _NAMESPACE
    while name in text:
        name += b"_"
    return name


def _record_types(records: Sequence[Record]) -> bytes:
    """What tells the types of the program apart, those with more fields first."""
    ordered = sorted(records, key=lambda record: -len(record[1]))
    lines = ["template <int K>", "struct record;"]
    for number, (name, fields) in enumerate(ordered):
        tests = "".join(f"(void)some<T>().{field}, " for field in fields)
        slots = "".join(
            f'\n        to.slot({str(at == 0).lower()}, "{field}", from.{field});'
            for at, field in enumerate(fields)
        )
        lines.append(f"""\
template <>
struct record<{number}> {{
    static constexpr const char *name = "{name}";
    template <class T>
    static auto fits(int) -> decltype({tests}yes());
    template <class T>
    static no fits(...);
    template <class Writer, class T>
    static void write(Writer &to, const T &from) {{
        to.object(name);{slots}
        to.object_end();
    }}
}};""")
    lines.append(f"""\
template <class T, int K = 0>
constexpr int record_of() {{
    if constexpr (K == {len(ordered)})
        return -1;
    else if constexpr (same<decltype(record<K>::template fits<T>(0)), yes>)
        return is_called(spelled<T>(), record<K>::name) ? K : record_of<T, K + 1>();
    else
        return record_of<T, K + 1>();
}}""")
    return "\n".join(lines).encode("utf-8")


def _with_recorders(
    flat: FlatProgram, names: Mapping[int, Sequence[str]], namespace: bytes
) -> bytes:
    insertions: list[tuple[int, int, int, bytes]] = []
    for ordinal, loop in enumerate(flat.loops):
        if not loop.constant:
            insertions += _around(ordinal, loop, names.get(ordinal, ()), namespace)
    insertions.sort()
    pieces, done = [], 0
    for at, _, _, inserted in insertions:
        pieces += [flat.text[done:at], inserted]
        done = at
    return b"".join((*pieces, flat.text[done:]))


def _around(
    ordinal: int, loop: FlatLoop, names: Sequence[str], namespace: bytes
) -> Iterator[tuple[int, int, int, bytes]]:
    """(position, rank, rank, text): at one position closing comes first, from the inside out."""
    recorder = b"%s_%d" % (namespace, ordinal)
    reads = b"".join(
        b' %s.value(%d, "%s", %s);' % (recorder, index, name.encode(), name.encode())
        for index, name in enumerate(names)
    )

    def at(place: bytes) -> bytes:
        reached = b"%s.%s(%d)" % (recorder, place, ordinal)
        return b"if (%s) {%s %s.done(); }" % (reached, reads, recorder)

    opening = b" { ::%s::activation %s; %s " % (namespace, recorder, at(b"begin"))
    yield loop.start, 1, ordinal, opening
    if loop.braced:
        yield loop.body_start + 1, 1, ordinal, b" %s " % at(b"enter")
    else:
        yield loop.body_start, 1, ordinal, b" { %s " % at(b"enter")
        yield loop.body_end, 0, -2 * ordinal - 1, b" } "
    yield loop.end, 0, -2 * ordinal, b" %s } " % at(b"end")


def _readable(tree: Any) -> Any:
    """The same tree with floating point in decimals, where the observer wrote its 64 bits.

    Types lose the places of lambdas, which depend on what else was read.
    """
    if isinstance(tree, list):
        return [_readable(part) for part in tree]
    if not isinstance(tree, dict):
        return tree
    if tree.keys() == {"float"}:
        (value,) = struct.unpack(">d", bytes.fromhex(tree["float"]))
        return {"float": f"{value:.17g}"}
    if tree.keys() == {"opaque"}:
        kind = _PLACE.sub(r"\1)", tree["opaque"]["type"])
        return {"opaque": {"type": kind, "why": tree["opaque"]["why"]}}
    return {key: _readable(part) for key, part in tree.items()}
