"""Identity: canonical bytes, content ids and seeded draws are the same everywhere, for good."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskcheck.oracles.identity import Draws, canonical_json, content_id

DOCUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


def test_canonical_json_is_sorted_compact_and_ascii() -> None:
    """The bytes of a document are pinned: a change here renames every task."""
    document = {"b": [1, True, None, 2**70], "a": {"é": "\n", "": ()}}
    assert canonical_json(document) == (
        b'{"a":{"":[],"\\u00e9":"\\n"},"b":[1,true,null,1180591620717411303424]}'
    )


@given(st.dictionaries(st.text(), DOCUMENTS, min_size=2))
def test_canonical_json_does_not_depend_on_insertion_order(document: dict[str, Any]) -> None:
    """A dict filled in the opposite order has the same bytes."""
    backwards = dict(reversed(document.items()))
    assert canonical_json(backwards) == canonical_json(document)


@pytest.mark.parametrize(
    "value", [1.0, float("nan"), {1: "a"}, {None: 1}, b"a", {1, 2}, [[{"a": 0.5}]], object()]
)
def test_canonical_json_refuses_what_has_no_canonical_form(value: object) -> None:
    """Floats, keys that are not text and foreign types are refused at any depth."""
    with pytest.raises(TypeError):
        canonical_json(value)


def test_content_ids_are_pinned() -> None:
    """The id of a known value never changes."""
    assert content_id("task", {"a": 1}) == (
        "4bf3a6156dacd7761bbf8c1fe3e10c3edff5081942df9eae23868660cdf4ef2a"
    )


def test_content_ids_tell_kinds_and_types_apart() -> None:
    """The same value under two kinds, and 1, true and "1" under one, have different ids."""
    ids = {content_id(kind, value) for kind in ("task", "case") for value in (1, True, "1", [1])}
    assert len(ids) == 8


def test_draws_are_pinned() -> None:
    """The first choices of a known stream never change."""
    draws = Draws("pinned", 7)
    assert [draws.integer(0, 999) for _ in range(8)] == [636, 166, 764, 179, 88, 886, 159, 446]
    assert draws.bits(300) == int(
        "e1605b7ba0500ea4d5b4e5781ff340aeee4ccddeebd13ece7652e102a88dd897bc3e97adffd", 16
    )
    assert draws.shuffled("abcdefgh") == list("heafcbdg")
    assert draws.sample(range(100), 4) == [51, 62, 0, 1]
    assert draws.choice(["x", "y", "z"]) == "y"


def test_draws_do_not_depend_on_the_hash_seed() -> None:
    """Two processes under different hash seeds draw the same."""
    script = (
        "from deskcheck.oracles.identity import Draws;"
        "d = Draws('seed', 1); print(d.shuffled(range(50)), d.bits(64))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


def test_draws_of_different_seeds_differ() -> None:
    """Every part of the seed counts, its type and its place included."""
    seeds: list[tuple[str | int, ...]] = [("a", 1), ("a", 2), ("a", "1"), (1, "a"), ("a1",), ("a",)]
    assert len({Draws(*seed).bits(128) for seed in seeds}) == len(seeds)


@given(st.integers(), st.integers(0, 2**80))
def test_integers_stay_in_their_interval(low: int, width: int) -> None:
    """Both ends are allowed and nothing beyond them is drawn."""
    draws = Draws("interval", low)
    assert all(low <= draws.integer(low, low + width) <= low + width for _ in range(5))


@pytest.mark.parametrize("sides", [2, 3, 6, 7, 10])
def test_integers_are_uniform(sides: int) -> None:
    """Counts of a fixed stream pass a chi-square test at one in a thousand."""
    draws, rolls = Draws("dice", sides), 6000
    counts = Counter(draws.integer(1, sides) for _ in range(rolls))
    expected = rolls / sides
    statistic = sum((counts[face] - expected) ** 2 / expected for face in range(1, sides + 1))
    critical = {2: 10.83, 3: 13.82, 6: 20.52, 7: 22.46, 10: 27.88}
    assert sum(counts.values()) == rolls
    assert statistic < critical[sides]


def test_every_order_is_equally_likely() -> None:
    """The 24 orders of four items pass a chi-square test at one in a thousand."""
    draws, times = Draws("orders"), 4800
    counts = Counter(tuple(draws.shuffled("abcd")) for _ in range(times))
    assert len(counts) == 24
    assert sum((n - 200) ** 2 / 200 for n in counts.values()) < 49.73


@given(st.lists(st.integers()), st.integers(0, 5))
def test_a_shuffle_keeps_its_items_and_its_argument(items: list[int], seed: int) -> None:
    """A shuffle is a permutation of its argument, which stays as it was."""
    before = list(items)
    assert Counter(Draws(seed).shuffled(items)) == Counter(before)
    assert items == before


def test_an_empty_choice_is_refused() -> None:
    """There is nothing to choose from an empty sequence or interval."""
    with pytest.raises(ValueError, match="no integer"):
        Draws("none").choice([])
    with pytest.raises(ValueError, match="no integer"):
        Draws("none").integer(3, 2)
