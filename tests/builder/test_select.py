"""From counts to a selection: declared bands, one rule, and a record of both."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from deskcheck.builder.cli import run as builder
from deskcheck.builder.measured import (
    COUNTS,
    MANIFEST,
    CountedCandidate,
    CountedInput,
    Manifest,
    Measured,
    joined,
    lines_of,
    rows_sha256,
    summarise,
    write_files,
)
from deskcheck.builder.pipeline import PoolRequest, pool_facts
from deskcheck.builder.selecting import histogram
from deskcheck.sources.network_simplex.pool import NetworkSimplexPool
from deskcheck.sources.network_simplex.selection import Band
from deskcheck.sources.pools import PoolOptions

LENGTHS = {f"network-simplex/{number}": 10 * (number % 60) for number in range(0, 1200, 7)}
BANDS = ("--band", "easy=100-200", "--band", "hard=300-500")
POOL = {"name": "network-simplex", "seed": 0}


def counted(name: str, length: int | None) -> CountedCandidate:
    run = CountedInput(name="long", reason="cpu_limit")
    if length is not None:
        run = CountedInput(name="long", trace_length=length, output_bytes=3)
    return CountedCandidate(
        candidate=name, inputs=(CountedInput(name="short", trace_length=1), run)
    )


def made(
    folder: Path,
    lengths: Mapping[str, int | None] = LENGTHS,
    shard: tuple[int, int] = (1, 1),
    pool: Mapping[str, Any] = POOL,
) -> Path:
    """A folder of these counts, as `builder measure` writes it."""
    candidates = [counted(name, length) for name, length in lengths.items()]
    manifest = Manifest(
        config={"pool": dict(pool), "shard": list(shard)},
        toolchain={"measured": {"version": "3.12.1"}},
        summary=summarise(candidates),
        rows_sha256=rows_sha256(lines_of(candidates)),
    )
    write_files(folder, Measured(manifest=manifest, candidates=candidates))
    return folder


def chosen(out: Path, *folders: Path, more: tuple[str, ...] = ()) -> list[str]:
    line = ["select", *map(str, folders), *BANDS, "--per-band", "4", *more, "-o", str(out)]
    assert builder(line) == 0
    return out.read_text().splitlines()


def test_the_selection_is_as_declared(tmp_path: Path) -> None:
    """As many of each band, in ascending order, and the record says all that they depend on."""
    names = chosen(tmp_path / "seeds.txt", made(tmp_path / "m"), more=("--seed", "3"))
    numbers = list(map(int, names))
    easy, hard = numbers[:4], numbers[4:]
    assert easy == sorted(set(easy)) and hard == sorted(set(hard)) and len(hard) == 4
    assert all(100 <= 10 * (n % 60) < 200 for n in easy)
    assert all(300 <= 10 * (n % 60) < 500 for n in hard)
    record = json.loads((tmp_path / "seeds.txt.json").read_text())
    assert record["chosen_sha256"] == sha256((tmp_path / "seeds.txt").read_bytes()).hexdigest()
    assert (record["seed"], record["per_band"], record["rule"] != "") == (3, 4, True)
    assert [band["found"] for band in record["bands"]] == [
        sum(low <= length < high for length in LENGTHS.values())
        for low, high in ((100, 200), (300, 500))
    ]
    assert [each["name"] for band in record["bands"] for each in band["chosen"]] == names
    assert all(
        each["trace_length"] == LENGTHS[f"network-simplex/{each['name']}"]
        for band in record["bands"]
        for each in band["chosen"]
    )
    assert record["measured"]["summary"]["candidates"] == len(LENGTHS)
    assert record["measured"]["toolchain"] == {"measured": {"version": "3.12.1"}}


def test_order_and_shards_change_nothing(tmp_path: Path) -> None:
    """The same counts in another order or in three shards give the same two files."""
    items = list(LENGTHS.items())
    whole = made(tmp_path / "m")
    turned = made(tmp_path / "t", dict(reversed(items)))
    parts = [made(tmp_path / f"p{n}", dict(items[n::3]), (n + 1, 3)) for n in range(3)]
    for number, folders in enumerate(([whole], [turned], parts, parts[::-1])):
        chosen(tmp_path / f"{number}", *folders)
    for number in (1, 2, 3):
        for suffix in ("", ".json"):
            one, other = (tmp_path / f"{n}{suffix}" for n in (0, number))
            assert one.read_bytes() == other.read_bytes()
    assert chosen(tmp_path / "s", whole, more=("--seed", "1")) != chosen(tmp_path / "0", whole)


def test_the_pool_reads_what_was_chosen_and_a_build_records_its_hash(tmp_path: Path) -> None:
    """The file is the pool's option `seeds`; what a manifest says of it is no path."""
    file = tmp_path / "seeds.txt"
    names = chosen(file, made(tmp_path / "m"))
    options = PoolOptions(options={"seeds": str(file)})
    ids = [each.id for each in NetworkSimplexPool().candidates(options)]
    assert ids == [f"network-simplex/{name}" for name in names]
    facts = pool_facts(PoolRequest(name="network-simplex", options=options))
    digest = json.loads(file.with_name("seeds.txt.json").read_text())["chosen_sha256"]
    assert facts["options"] == {"seeds": {"file": "seeds.txt", "sha256": digest}}


def test_candidates_of_other_pools_are_chosen_by_name(tmp_path: Path) -> None:
    """Where names are no numbers they are taken as they are; a run without count is never taken."""
    lengths = {f"library/r-{n}": 150 + n if n % 2 else None for n in range(20)}
    lengths |= {f"library/s-{n}": 350 for n in range(9)}
    names = chosen(tmp_path / "f", made(tmp_path / "m", lengths, pool={"name": "library"}))
    assert [name[0] for name in names] == ["r"] * 4 + ["s"] * 4
    assert all(lengths[f"library/{name}"] is not None for name in names)


@pytest.mark.parametrize(
    ("more", "status", "expected"),
    [
        (("--per-band", "400"), 3, "band 'easy' holds"),
        (("--band", "wide=150-350"), 3, "bands 'easy' and 'wide' overlap"),
        (("--band", "none=900-800"), 3, "band 'none' from 900 to 800 holds nothing"),
        (("--band", "easy=600-700"), 2, "two bands are named 'easy'"),
        (("--band", "odd=low-high"), 2, "'odd=low-high' is not a band"),
        (("--per-band", "0"), 2, "--per-band"),
    ],
)
def test_bands_that_cannot_be_filled_are_said(
    more: tuple[str, ...],
    status: int,
    expected: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One line, and no file."""
    line = ["select", str(made(tmp_path / "m")), *BANDS, *more, "-o", str(tmp_path / "f")]
    assert builder(line) == status
    assert expected in capsys.readouterr().err.splitlines()[-1]
    assert not (tmp_path / "f").exists() and not (tmp_path / "f.json").exists()


def test_folders_that_are_not_all_of_one_measurement_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A missing shard, one twice, another seed, a changed line, no measurement at all."""
    items = list(LENGTHS.items())
    one, two = (made(tmp_path / f"p{n}", dict(items[n::2]), (n + 1, 2)) for n in range(2))
    other = made(tmp_path / "o", dict(items[1::2]), (2, 2), {**POOL, "seed": 1})
    changed = made(tmp_path / "c")
    counts = changed / COUNTS
    counts.write_bytes(counts.read_bytes().replace(b"70", b"71", 1))
    later = made(tmp_path / "l")
    manifest = later / MANIFEST
    manifest.write_text(manifest.read_text().replace('"format": 1', '"format": 99'))
    for folders, expected in (
        ([one], "of 2 shards these are given: 1"),
        ([one, two, two], "these are given: 1, 2, 2"),
        ([one, other], "config.pool.seed 0 in"),
        ([changed], "counts.jsonl is not as it was written"),
        ([later], "holds no measurement of this version"),
        ([tmp_path], "holds no measurement of this version"),
    ):
        assert builder(["select", *map(str, folders), *BANDS, "-o", str(tmp_path / "f")]) == 3
        (said,) = capsys.readouterr().err.splitlines()
        assert expected in said


def test_another_selection_is_not_replaced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same command again is harmless; one that would choose otherwise writes nothing."""
    folder, file = made(tmp_path / "m"), tmp_path / "f"
    before = chosen(file, folder)
    assert chosen(file, folder) == before
    line = ["select", str(folder), *BANDS, "--per-band", "5", "-o", str(file)]
    assert builder(line) == 3
    assert "exists and is something else" in capsys.readouterr().err
    assert file.read_text().splitlines() == before


def test_all_counts_stand_in_the_histogram() -> None:
    """Every candidate is in one bin, and bins in a band have its name."""
    lengths = [*range(1, 2000, 13), 50_000]
    lines = histogram(lengths, [Band(name="big", low=40_000, high=90_000)]).splitlines()
    assert sum(int(line.split()[1].replace(",", "")) for line in lines) == len(lengths)
    assert [line.endswith("big") for line in lines] == [*[False] * (len(lines) - 1), True]
    assert histogram([], []) == "no candidate was counted"


def test_one_folder_is_its_only_shard(tmp_path: Path) -> None:
    """What is read has the rows and hash of the folder, in ascending order of ids."""
    folder = made(tmp_path / "m")
    whole = joined([folder])
    ids = [each.candidate for each in whole.candidates]
    assert ids == sorted(LENGTHS)
    stored = json.loads((folder / MANIFEST).read_text())
    assert whole.manifest.rows_sha256 == stored["rows_sha256"]
    assert "shard" not in whole.manifest.config
