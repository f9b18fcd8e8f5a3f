"""How long a report of a study of the paper's shape takes, and what it finds of known effects.

    python benchmarks/report.py [--effects SEEDS]

The study is made up (see `tests/analysis/paper_study.py`): 7 settings and 2 baselines, 400 cases,
4 arms, 17,600 cells. The report is made twice, under two hash seeds, and must be the same; the
command ends with 1 where it is not. With --effects, so many studies are analysed and each known
effect is counted in how many of them it is inside its interval.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[0] = str(ROOT)


def main() -> None:
    """Make the reports, or look at effects."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--effects", type=int, metavar="SEEDS")
    seeds = parser.parse_args().effects
    if seeds:
        effects_of(seeds)
        return
    with tempfile.TemporaryDirectory() as place:
        same = reports(Path(place))
    sys.exit(0 if same else 1)


def reports(place: Path) -> bool:
    """Print the time of each part and of the whole command; whether two reports are the same."""
    from tests.analysis.paper_study import make_study

    study, making = timed(lambda: make_study(0))
    run, writing = timed(lambda: study.write(place))
    said("making a study, in memory", making)
    said("writing its dataset and run", writing)
    parts(run, place / "data")
    trees = []
    for seed in ("1", "2"):
        output = place / f"reports-{seed}"
        before = os.times()
        _, wall = timed(lambda seed=seed, output=output: command(run, output, seed))
        after = os.times()
        said("builder report, wall", wall)
        said("  on processors", after[2] + after[3] - before[2] - before[3])
        trees.append(
            {
                str(path.relative_to(output)): path.read_bytes()
                for path in sorted(output.rglob("*"))
                if path.is_file()
            }
        )
    same = trees[0] == trees[1]
    print(f"files                             {len(trees[0]):>8,}")
    print(f"size of them, MiB                 {sum(map(len, trees[0].values())) / 2**20:>8.1f}")
    print(f"the same under two hash seeds     {'yes' if same else 'no':>8}")
    return same


def command(run: Path, output: Path, hash_seed: str) -> None:
    """The command in a process of its own."""
    code = "import sys; from deskcheck.builder.cli import run; sys.exit(run(sys.argv[1:]))"
    subprocess.run(
        [sys.executable, "-c", code, "report", str(run), "-o", str(output)],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )


def parts(run: Path, data: Path) -> None:
    """Print how long each section takes, in the order of the report."""
    from deskcheck.analysis.registry import load_section, section_names
    from deskcheck.analysis.results import Options, gather
    from deskcheck.analysis.runs import read_run
    from deskcheck.builder.dataset import read_answers, read_dataset

    results, seconds = timed(
        lambda: gather([read_run(run)], Options(), read_dataset(data), read_answers(data))
    )
    said("reading", seconds)
    for name in section_names():
        _, seconds = timed(lambda name=name: load_section(name)(results))
        said(f"  section {name}", seconds)


def effects_of(seeds: int) -> None:
    """Print for each known effect in how many studies its interval holds it."""
    from tests.analysis.paper_effects import effects
    from tests.analysis.paper_study import make_study

    held: Counter[tuple[str, str]] = Counter()
    for seed in range(seeds):
        for effect in effects(make_study(seed)):
            held[effect.kind, effect.name] += effect.inside
    for (kind, name), count in held.items():
        print(f"{count:>4} of {seeds}  {kind}: {name}")


def timed[Result](work: Callable[[], Result]) -> tuple[Result, float]:
    """What the work gives, and seconds of wall time."""
    began = time.perf_counter()
    done = work()
    return done, time.perf_counter() - began


def said(what: str, seconds: float) -> None:
    """One line of the table."""
    print(f"{what:<34}{seconds:>8.2f} s", flush=True)


if __name__ == "__main__":
    main()
