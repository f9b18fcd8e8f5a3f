"""Taking replies over from another run, where the very same request was answered there."""

from __future__ import annotations

from pathlib import Path

from deskcheck.evaluate.plan import Plan
from deskcheck.evaluate.store import FINAL, RunFolder, RunWriter


def reuse(plan: Plan, writer: RunWriter, source: Path) -> int:
    """Store what `source` has for questions of the plan that have no reply yet; how many.

    A request is the same where task, prompt, seed and all of the setting that may change an
    answer are the same. After a correction of a dataset, that is every task but the corrected
    ones. RunError where there is no run at `source`.
    """
    other = RunFolder(source)
    if source.resolve() == writer.folder.path.resolve():
        return 0
    there = writer.folder.index()
    offered = other.index()
    taken = 0
    for planned in plan:
        key = plan.request(planned).key
        held = offered.get(key)
        if held is not None and held.outcome in FINAL and key not in there:
            stored = other.read(held.offset)
            writer.take_over(stored, setting=planned.setting.name, source=other.config.id)
            taken += 1
    return taken
