"""The dataset card: what a stranger who finds the folder needs to know."""

from __future__ import annotations

from deskcheck.builder.contents import Dataset


def card(dataset: Dataset) -> str:
    return f"# {dataset.manifest.name}\n"
