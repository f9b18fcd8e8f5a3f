"""Edits change what they name and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskcheck.builder.edits import Edit, apply, insert


@given(st.binary(max_size=30), st.lists(st.tuples(st.integers(0, 30), st.binary(max_size=4))))
def test_insertions_keep_every_byte_in_order(code: bytes, wanted: list[tuple[int, bytes]]) -> None:
    """The result is the code with each text at its offset, those at one offset as given."""
    inserts = [(min(at, len(code)), text) for at, text in wanted]
    expected = b"".join(
        b"".join(text for at, text in inserts if at == i) + code[i : i + 1]
        for i in range(len(code) + 1)
    )
    assert apply(code, [insert(at, text) for at, text in inserts]) == expected


def test_an_edit_replaces_its_bytes() -> None:
    """A replacement and insertions at its two ends, in whatever order they come."""
    edits = [insert(4, b">"), Edit(start=2, end=4, text=b"--"), insert(2, b"<")]
    assert apply(b"abcdef", [edits[2], *edits[:2]]) == b"ab<-->ef"
    assert apply(b"abcdef", []) == b"abcdef"


def test_edits_that_overlap_are_refused() -> None:
    """Two edits of one byte have no meaning."""
    with pytest.raises(ValueError, match="byte 2"):
        apply(b"abcdef", [Edit(start=1, end=3, text=b""), Edit(start=2, end=4, text=b"")])
