"""The fields asked for are those that change, that say something, and that fit."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial

from deskcheck.builder.projection import Moments, NoProjection, Projection, project
from deskcheck.oracles.checkpoints import Place
from deskcheck.oracles.expressions import express
from deskcheck.oracles.observations import Moment, Snapshot
from deskcheck.oracles.values import Opaque, Value

Values = Mapping[str, Value]


def shot(place: Place, variables: Values, aliases: Mapping[str, str]) -> Snapshot:
    return Snapshot(
        moment=Moment(0, place, 1),
        visit=1,
        stdin="0 0",
        printed=0,
        variables=variables,
        aliases={name: aliases.get(name, name) for name in variables},
        trace_length=None,
        state=None,
    )


def projected(
    *,
    entry: Values | None = None,
    before: Values | None = None,
    inside: Values,
    after: Values | None = None,
    post: Values,
    trivial: str = "",
    aliases: Mapping[str, str] | None = None,
    names: Sequence[str] | None = None,
    max_fields: int = 6,
    max_characters: int = 400,
) -> Projection | NoProjection:
    same = aliases or {}
    other: Values = dict.fromkeys(inside, 10**6)
    return project(
        Moments(
            entry=shot("inside", other if entry is None else entry, {}),
            before=shot("inside", other if before is None else before, {}),
            inside=shot("inside", inside, same),
            after=shot("inside", other if after is None else after, {}),
            post=shot("post", post, same),
        ),
        list(inside) if names is None else names,
        trivial=frozenset(trivial.split()),
        express=partial(express, taken=frozenset(inside)),
        max_fields=max_fields,
        max_characters=max_characters,
    )


def names_of(result: Projection | NoProjection) -> list[str]:
    assert isinstance(result, Projection), result
    return [field.name for field in result.fields]


def refused(result: Projection | NoProjection) -> tuple[str, str]:
    assert isinstance(result, NoProjection), result
    return result.check, result.reason


def test_fields_are_what_differs_in_source_order() -> None:
    """Both states have the same ordered fields, and no field that stands still."""
    result = projected(inside={"b": 1, "still": 5, "a": 2}, post={"b": 3, "still": 5, "a": 4})
    assert names_of(result) == ["b", "a"]
    assert isinstance(result, Projection)
    assert (result.inside, result.post) == ('{"b":1,"a":2}', '{"b":3,"a":4}')


def test_a_name_bound_at_one_checkpoint_only_is_no_field() -> None:
    """Fields must be there in both arms."""
    result = projected(
        inside={"a": 1, "gone": 1}, post={"a": 2, "new": 1}, names=["a", "gone", "new"]
    )
    assert names_of(result) == ["a"]


def test_types_at_the_top_agree() -> None:
    """What is a number inside and a text after, or 1 and 1.0, or null and a number, is no field."""
    result = projected(
        inside={"a": 1, "b": 1, "c": 1, "d": None, "e": True},
        post={"a": 2, "b": "1", "c": 1.5, "d": 1, "e": 0},
    )
    assert names_of(result) == ["a"]


def test_one_object_is_one_field() -> None:
    """A name for the same object at both checkpoints is dropped; one that parts is kept."""
    values: Values = {"a": [1], "b": [1]}
    later: Values = {"a": [2], "b": [2]}
    result = projected(inside=values, post=later, aliases={"b": "a"})
    assert names_of(result) == ["a"]
    assert names_of(projected(inside=values, post=later)) == ["a", "b"]


def test_counters_alone_are_no_question() -> None:
    """Loop targets and constant strides may be shown, and not by themselves."""
    counters: Values = {"i": 3, "n": 6}
    ended: Values = {"i": 9, "n": 18}
    assert refused(projected(inside=counters, post=ended, trivial="i n")) == (
        "change",
        "only_counters",
    )
    mixed = projected(inside={**counters, "t": 4}, post={**ended, "t": 5}, trivial="i n")
    assert names_of(mixed) == ["i", "n", "t"]


def test_nothing_that_changes_is_said_with_what_could_not_be_shown() -> None:
    """A generator that moves on is no field, and the finding names it."""
    hidden = Opaque(type_name="generator", why="generator")
    result = projected(inside={"a": 1, "g": hidden}, post={"a": 1, "g": hidden})
    assert refused(result) == ("change", "nothing_changes")
    assert isinstance(result, NoProjection) and "g" in result.detail


def test_the_telling_and_the_short_come_first() -> None:
    """Where not all fit, counters go before long fields, and long ones before short ones."""
    inside: Values = {"i": 1, "long": "x" * 50, "middle": "y" * 10, "short": 2}
    post: Values = {"i": 2, "long": "z" * 50, "middle": "w" * 10, "short": 3}
    few = projected(inside=inside, post=post, trivial="i", max_fields=2)
    assert names_of(few) == ["middle", "short"]
    narrow = projected(inside=inside, post=post, trivial="i", max_characters=50)
    assert names_of(narrow) == ["i", "middle", "short"]
    assert isinstance(narrow, Projection)
    assert max(len(narrow.inside), len(narrow.post)) <= 50


def test_the_limits_are_kept_at_their_edge() -> None:
    """A state of exactly the limit passes; one character more does not."""
    inside: Values = {"a": "x" * 10}
    post: Values = {"a": "y" * 12}
    length = len('{"a":"yyyyyyyyyyyy"}')
    assert names_of(projected(inside=inside, post=post, max_characters=length)) == ["a"]
    assert refused(projected(inside=inside, post=post, max_characters=length - 1)) == (
        "bounds",
        "state_too_long",
    )


def test_a_state_that_repeats_is_refused() -> None:
    """Iteration k must be told from the entry and from its neighbours."""
    inside: Values = {"a": 1, "b": 2}
    post: Values = {"a": 3, "b": 4}
    for neighbour in ("entry", "before", "after"):
        result = projected(inside=inside, post=post, **{neighbour: inside})  # type: ignore[arg-type]
        assert refused(result) == ("change", "state_repeats"), neighbour
        changed = {"a": 1, "b": 3}
        told = projected(inside=inside, post=post, **{neighbour: changed})  # type: ignore[arg-type]
        assert names_of(told) == ["a", "b"], neighbour


def test_a_neighbour_that_differs_where_nothing_is_shown_does_not_count() -> None:
    """It is the fields shown that must tell the iterations apart."""
    inside: Values = {"a": 1, "long": "x" * 90}
    post: Values = {"a": 3, "long": "y" * 90}
    before: Values = {"a": 1, "long": "z" * 90}
    result = projected(inside=inside, post=post, before=before, max_characters=60)
    assert refused(result) == ("change", "state_repeats")


def test_sets_are_shown_sorted_and_the_builtins_are_told() -> None:
    """The expression stands in the shown source, so what it calls matters."""
    result = projected(
        entry={"s": {9}},
        before={"s": {8}},
        after={"s": {7}},
        inside={"s": {3, 1, 2}},
        post={"s": {3, 1}},
    )
    assert isinstance(result, Projection)
    assert result.fields[0].expression == "sorted(s)"
    assert result.needs == {"sorted"}
    assert json.loads(result.inside) == {"s": [1, 2, 3]}
