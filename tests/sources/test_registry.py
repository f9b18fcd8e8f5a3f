"""Pools are found by name, and every way of not finding one is a clear line."""

from __future__ import annotations

from pathlib import Path

import pytest

from deskcheck.oracles.errors import PoolError
from deskcheck.sources.pools import Pool
from deskcheck.sources.registry import BUILT_IN, load_pool, pool_names

MODULE = """
from deskcheck.sources.pools import PoolInfo

class Good:
    def info(self):
        return PoolInfo(name="good", title="Good", description="A pool from elsewhere.")

    def candidates(self, options):
        return iter(())

class Bad:
    def __init__(self):
        raise RuntimeError("no licence file")

class Empty:
    pass
"""


def install(folder: Path, name: str, entry_points: str) -> None:
    """A distribution of this name, version 0.3, as installers lay it down."""
    facts = folder / f"{name.replace('-', '_')}-0.3.dist-info"
    facts.mkdir(parents=True)
    (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.3\n")
    (facts / "entry_points.txt").write_text(f"[deskcheck.pools]\n{entry_points}")


@pytest.fixture(autouse=True)
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A distribution with one pool that works and four that do not."""
    (tmp_path / "example_pools.py").write_text(MODULE)
    install(
        tmp_path,
        "example-pools",
        "good = example_pools:Good\n"
        "bad = example_pools:Bad\n"
        "gone = example_pools_missing:Good\n"
        "nameless = example_pools:Nameless\n"
        "empty = example_pools:Empty\n"
        "textbook = example_pools:Good\n",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("name", BUILT_IN)
def test_built_in_pools_load(name: str) -> None:
    """Each built-in pool loads under its own name, even if a plugin claims that name."""
    assert load_pool(name).info().name == name


def test_an_installed_pool_is_named_and_loaded() -> None:
    """A third party's pool needs nothing but its entry point; built-in ones come first."""
    assert pool_names() == [*BUILT_IN, "bad", "empty", "gone", "good", "nameless"]
    pool = load_pool("good")
    assert isinstance(pool, Pool)
    assert pool.info().title == "Good"


def test_an_unknown_pool_is_answered_with_close_names() -> None:
    """A misspelt name is repeated in the error, with what was probably meant."""
    with pytest.raises(PoolError) as caught:
        load_pool("textbok")
    assert "'textbok'" in caught.value.what
    assert "did you mean textbook?" in caught.value.hint


def test_an_unknown_pool_is_answered_with_all_names() -> None:
    """A name like no other gets the list of pools."""
    with pytest.raises(PoolError) as caught:
        load_pool("zzz")
    assert caught.value.hint == f"pools: {', '.join(pool_names())}"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("gone", "ModuleNotFoundError"),
        ("nameless", "AttributeError"),
        ("bad", "RuntimeError: no licence file"),
        ("empty", "without `info` and `candidates`"),
    ],
)
def test_a_broken_plugin_is_named(name: str, reason: str) -> None:
    """A pool that cannot be loaded is an error that names its distribution and the reason."""
    with pytest.raises(PoolError) as caught:
        load_pool(name)
    assert "example-pools 0.3" in caught.value.what
    assert reason in caught.value.what


def test_two_plugins_of_one_name_are_refused(example: Path) -> None:
    """Where two distributions offer the same name, none is chosen silently."""
    install(example, "other-pools", "good = example_pools:Good\n")
    with pytest.raises(PoolError, match=r"example-pools 0\.3, other-pools 0\.3"):
        load_pool("good")
