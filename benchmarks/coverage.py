"""How often nominal 95% intervals hold the truth, by design and method; nothing here is timed.

    python benchmarks/coverage.py [--replicates N]

The designs and models are those of the tests, see `tests/analysis/coverage.py`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

sys.path[0] = str(Path(__file__).parents[1])

if TYPE_CHECKING:
    from tests.analysis.coverage import Coverage

SIDES = ((0.04, 0.02), (0.5, 0.35), (0.9, 0.7), (0.98, 0.96))


def main() -> None:
    """Simulate, and print a table for each kind of estimate."""
    from tests.analysis.coverage import (
        DESIGNS,
        RATES,
        differences,
        means,
        proportions,
        slopes,
    )

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicates", type=int, default=1_000)
    count = parser.parse_args().replicates
    table(
        "Shares of right answers",
        (
            (
                f"{design}, correlation {correlation}, rate {rate}",
                proportions(sizes, rate, correlation, count, seed=1),
            )
            for design, sizes in DESIGNS.items()
            for correlation in (0.3, 0.5)
            for rate in RATES
        ),
    )
    table(
        "Means",
        (
            (f"{design}, correlation {correlation}", means(sizes, correlation, count, seed=2))
            for design, sizes in DESIGNS.items()
            for correlation in (0.3, 0.5)
        ),
    )
    table(
        "Paired differences",
        (
            (
                f"{design}, {first:.0%} and {second:.0%} right",
                differences(sizes, first, second, count, seed=3),
            )
            for design, sizes in DESIGNS.items()
            for first, second in SIDES
        ),
    )
    table(
        "Logistic slopes",
        (
            (design, slopes(sizes, 0.3, count, seed=4))
            for design, sizes in DESIGNS.items()
            if design != "314, one of 210"  # slow, and like the other one of 314
        ),
    )


def table(title: str, rows: Iterable[tuple[str, Iterable[Coverage]]]) -> None:
    """One row for each design; coverage in percent, and the share without an interval."""
    print(f"\n{title}\n")
    for number, (name, found) in enumerate(rows):
        results = list(found)
        if not number:
            print(f"| design | {' | '.join(each.method for each in results)} |")
            print(f"|---|{'---:|' * len(results)}")
        print(f"| {name} | {' | '.join(said(each) for each in results)} |", flush=True)


def said(found: Coverage) -> str:
    """Such as 94.8, or 94.8 (12% named)."""
    named = f"{found.named:.0%} named" if found.named >= 0.005 else ""
    if found.covered is None:
        return named
    return f"{100 * found.covered:.1f}" + (f" ({named})" if named else "")


if __name__ == "__main__":
    main()
