"""Rows of a published dataset, fetched from the Hugging Face Hub at one commit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from deskcheck.oracles.errors import PoolError
from deskcheck.sources.contest_rows import by_name

_PART = re.compile(r"(?P<of>.*)-(?P<number>\d{5})-of-(?P<count>\d{5})")


def fetch(repo: str, revision: str, patterns: Sequence[str]) -> list[Path]:
    """The files that fit the patterns, in natural order, in the cache of the Hub's own library.

    What was fetched before is used without a network. PoolError where there is nothing.
    """
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    name = f"{repo} at {revision[:12]}"
    try:
        folder = Path(
            snapshot_download(
                repo, repo_type="dataset", revision=revision, allow_patterns=list(patterns)
            )
        )
    except (HfHubHTTPError, HFValidationError, OSError) as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        said = lines[0] if lines else type(error).__name__
        hint = "check the revision and the network, or name local files with --option problems=PATH"
        raise PoolError(f"{name} cannot be had from the Hub: {said}", hint) from error
    found: set[Path] = set()
    for pattern in patterns:
        files = list(folder.glob(pattern))
        if not files or _parts_missing(files):
            hint = "check the revision; without a network, the cache must hold all of it"
            raise PoolError(f"{name} holds no {pattern}, or not all parts of it", hint)
        found.update(files)
    return sorted(found, key=by_name)


def _parts_missing(files: Sequence[Path]) -> bool:
    """Whether of `train-00003-of-00039` and its like some are not there: a cache cut short."""
    parts: dict[tuple[str, int], set[int]] = {}
    for path in files:
        match = _PART.match(path.name)
        if match is not None:
            parts.setdefault((match["of"], int(match["count"])), set()).add(int(match["number"]))
    return any(len(numbers) < count for (_, count), numbers in parts.items())
