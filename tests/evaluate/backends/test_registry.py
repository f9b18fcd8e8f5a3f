"""Backends are found by name, and every way of not finding one is a clear line."""

from __future__ import annotations

from pathlib import Path

import pytest

from deskcheck.evaluate.backends import Backend, BackendSpec
from deskcheck.evaluate.backends.registry import BUILT_IN, backend_names, make_backend
from deskcheck.oracles.errors import BackendError

MODULE = """
class Good:
    concurrency = 1
    exclusive = False
    arms = ()

    def __init__(self, spec):
        self.spec = spec

    async def open(self, *, only_to_render=False): ...
    async def render(self, prompt, setting): ...
    async def answer(self, request): ...
    async def close(self): ...

class Empty:
    def __init__(self, spec):
        pass
"""


@pytest.fixture(autouse=True)
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A distribution with one backend that works, and some that do not."""
    (tmp_path / "example_backends.py").write_text(MODULE)
    facts = tmp_path / "example_backends-0.3.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: example-backends\nVersion: 0.3\n")
    (facts / "entry_points.txt").write_text(
        "[deskcheck.backends]\n"
        "good = example_backends:Good\n"
        "empty = example_backends:Empty\n"
        "gone = example_backends_missing:Good\n"
        "openai = example_backends:Good\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))


def test_names_are_listed_without_loading_anything() -> None:
    """Built-in backends come first, plugins after them, each once, and broken ones too."""
    assert backend_names() == [*BUILT_IN, "empty", "gone", "good"]


@pytest.mark.parametrize(
    ("name", "model"), [("openai", "gpt"), ("llamacpp", "smollm2-135m"), ("good", "any")]
)
def test_a_backend_is_made_by_its_name(name: str, model: str) -> None:
    """Built-in and installed backends follow the seam; a plugin does not replace a built-in."""
    if name == "llamacpp":
        pytest.importorskip("xllamacpp")
    backend = make_backend(name, BackendSpec(model=model))
    assert isinstance(backend, Backend)
    module = type(backend).__module__
    assert module == (
        f"deskcheck.evaluate.backends.{name}" if name in BUILT_IN else "example_backends"
    )


def test_an_unknown_backend_is_answered_with_all_names() -> None:
    """A misspelt name is repeated in the error, with what there is."""
    with pytest.raises(BackendError, match="no backend 'vlm'") as caught:
        make_backend("vlm", BackendSpec(model="x"))
    assert "openai" in caught.value.hint and "good" in caught.value.hint


@pytest.mark.parametrize(
    ("name", "said"), [("empty", "is a Empty that does not follow"), ("gone", "example-backends")]
)
def test_a_plugin_that_does_not_work_is_named(name: str, said: str) -> None:
    """What is no backend, or cannot be imported, is told with its distribution."""
    with pytest.raises(BackendError) as caught:
        make_backend(name, BackendSpec(model="x"))
    assert said in str(caught.value)
    assert "example-backends" in str(caught.value)
