"""Which variables the two state arms ask for, and how each is written in the shown source."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from deskcheck.builder.cases import Check
from deskcheck.oracles.checkpoints import Field
from deskcheck.oracles.expressions import (
    Expressed,
    Inexpressible,
    Json,
    compact_json,
    json_type,
)
from deskcheck.oracles.observations import Snapshot
from deskcheck.oracles.values import Value

Express = Callable[[str, Sequence[Value]], Expressed | Inexpressible]
"""From a variable and its values to the expression that shows it at each of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moments:
    """The five snapshots that decide whether an activation is eligible at iteration k."""

    entry: Snapshot
    before: Snapshot
    """At iteration k - 1."""
    inside: Snapshot
    """At iteration k."""
    after: Snapshot
    """At iteration k + 1."""
    post: Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One variable that can be shown at both checkpoints."""

    name: str
    expression: str
    needs: frozenset[str]
    inside: Json
    post: Json
    same_as_inside: AbstractSet[str]
    """Of `entry`, `before` and `after`: where it shows what it shows at iteration k."""
    trivial: bool
    """A loop target or an integer that grew by one constant step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Projection:
    """The ordered fields of both state arms, and their values at the two checkpoints."""

    fields: tuple[Field, ...]
    needs: frozenset[str]
    """What the expressions of the fields need, as `express` says."""
    inside: str
    """Compact JSON."""
    post: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NoProjection:
    """Why no sound projection exists: a snake_case reason and one line."""

    check: Check
    reason: str
    detail: str


def project(
    moments: Moments,
    names: Sequence[str],
    *,
    trivial: AbstractSet[str],
    express: Express,
    max_fields: int,
    max_characters: int,
) -> Projection | NoProjection:
    """Choose the core fields that observably differ between the checkpoints.

    `names` are the live variables in source order.
    Fields that say something beyond the iteration number come first, then the shorter ones, as
    long as they fit; the order shown is that of the source.
    """
    columns, refused = _columns(moments, names, trivial, express)
    core = [column for column in columns if _text(column.inside) != _text(column.post)]
    if not core:
        why = f" ({'; '.join(refused)})" if refused else ""
        return NoProjection(
            check="change",
            reason="nothing_changes",
            detail=f"no live variable that can be shown differs between the checkpoints{why}",
        )
    telling = [column for column in core if not column.trivial]
    if not telling:
        return NoProjection(
            check="change",
            reason="only_counters",
            detail="all that changes is a loop target or a constant-stride counter: "
            + ", ".join(column.name for column in core),
        )
    chosen = _fitting(core, max_fields, max_characters)
    if not any(not column.trivial for column in chosen):
        smallest = min(len(_text(c.inside)) + len(_text(c.post)) for c in telling)
        return NoProjection(
            check="bounds",
            reason="state_too_long",
            detail=f"no telling field fits {max_characters} characters; the shortest needs "
            f"{smallest} over both checkpoints",
        )
    same = _standing_still(chosen)
    if same:
        return NoProjection(check="change", reason="state_repeats", detail=same)
    return Projection(
        fields=tuple(Field(name=c.name, expression=c.expression) for c in chosen),
        needs=frozenset().union(*(c.needs for c in chosen)),
        inside=compact_json({c.name: c.inside for c in chosen}),
        post=compact_json({c.name: c.post for c in chosen}),
    )


def _columns(
    moments: Moments, names: Sequence[str], trivial: AbstractSet[str], express: Express
) -> tuple[list[Column], list[str]]:
    columns: list[Column] = []
    refused: list[str] = []
    for name in names:
        inside, post = moments.inside, moments.post
        if name not in inside.variables or name not in post.variables:
            continue
        if inside.aliases[name] != name and post.aliases[name] == inside.aliases[name]:
            continue  # one field per object
        values = [inside.variables[name], post.variables[name]]
        shown = express(name, values)
        if not isinstance(shown, Expressed):
            refused.append(f"{name}: {shown.reason}")
            continue
        at_inside, at_post = shown.answers
        if json_type(at_inside) != json_type(at_post):
            refused.append(f"{name}: {json_type(at_inside)} inside, {json_type(at_post)} after")
            continue
        columns.append(
            Column(
                name=name,
                expression=shown.expression,
                needs=shown.builtins,
                inside=at_inside,
                post=at_post,
                same_as_inside=_same_as_inside(moments, name, express),
                trivial=name in trivial,
            )
        )
    return columns, refused


def _same_as_inside(moments: Moments, name: str, express: Express) -> frozenset[str]:
    """A value that no common expression shows beside the one at k is another one."""
    others = {"entry": moments.entry, "before": moments.before, "after": moments.after}
    same: set[str] = set()
    for moment, shot in others.items():
        if name in shot.variables:
            values = [moments.inside.variables[name], shot.variables[name]]
            shown = express(name, values)
            if isinstance(shown, Expressed) and _text(shown.answers[0]) == _text(shown.answers[1]):
                same.add(moment)
    return frozenset(same)


def _text(value: Json) -> str:
    return compact_json(value)


def _fitting(core: Sequence[Column], max_fields: int, max_characters: int) -> list[Column]:
    """The core fields that fit in both states, telling and short ones first, in source order."""
    order = sorted(
        range(len(core)),
        key=lambda i: (core[i].trivial, len(_text(core[i].inside)) + len(_text(core[i].post)), i),
    )
    chosen: list[int] = []
    for index in order:
        trial = sorted([*chosen, index])
        inside = compact_json({core[i].name: core[i].inside for i in trial})
        post = compact_json({core[i].name: core[i].post for i in trial})
        if len(trial) <= max_fields and max(len(inside), len(post)) <= max_characters:
            chosen = trial
    return [core[i] for i in chosen]


def _standing_still(chosen: Sequence[Column]) -> str:
    """Which neighbouring moment has the very state of iteration k, or nothing."""
    for moment, what in (
        ("entry", "loop's entry"),
        ("before", "iteration before"),
        ("after", "iteration after"),
    ):
        if all(moment in column.same_as_inside for column in chosen):
            return f"the state at the chosen iteration is that of the {what}"
    return ""
