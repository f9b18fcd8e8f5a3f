"""Datasets on the Hugging Face Hub: found by name, kept in its cache, and put there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from deskcheck.builder.dataset import CARD, MANIFEST
from deskcheck.builder.exporting import export, files
from deskcheck.builder.schemas import ANSWERS, SHOWN
from deskcheck.oracles.errors import DatasetError

_NAME = re.compile(r"([\w.-]+/[\w.-]+)(?:@([\w./-]+))?", re.ASCII)

TASK_FILES = (CARD, MANIFEST, *(table.path for table in SHOWN), "programs/*")
"""What is fetched of a dataset; answers come when they are asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HubName:
    """`ORG/NAME`, perhaps `@` a branch, tag or commit."""

    repo: str
    revision: str | None = None


def hub_name(given: Path) -> HubName | None:
    """The dataset's name on the Hub, where this can be one and is no path on this machine."""
    match = _NAME.fullmatch(str(given))
    if match is None or given.exists() or given.parent.exists():
        return None
    return HubName(repo=match[1], revision=match[2])


def fetched(name: HubName) -> Path:
    """The folder of the Hub library's cache that holds the dataset, fetched as far as needed.

    Without a network, what was fetched before is used. DatasetError where there is nothing.
    """
    from huggingface_hub import snapshot_download

    with _failures(name.repo, "look at its name, or log in with `hf auth login`"):
        folder = snapshot_download(
            name.repo,
            repo_type="dataset",
            revision=name.revision,
            allow_patterns=list(TASK_FILES),
        )
    return Path(folder)


def fetch_answers(folder: Path) -> None:
    """Bring the answers to a folder of the Hub library's cache, where they are published.

    Any other folder is left alone, and so is one to which no answers belong.
    """
    repo, snapshots = folder.parent.parent, folder.parent
    if snapshots.name != "snapshots" or not repo.name.startswith("datasets--"):
        return
    from huggingface_hub import snapshot_download

    name = repo.name.removeprefix("datasets--").replace("--", "/")
    with _failures(name, "its answers are needed here"):
        snapshot_download(
            name,
            repo_type="dataset",
            revision=folder.name,
            cache_dir=repo.parent,
            allow_patterns=[ANSWERS.path],
        )


def push(folder: Path, repo: str, *, private: bool, answers: bool) -> str:
    """Put the copy that `export` makes on the Hub, as one commit that holds nothing else.

    Gives the commit's address. DatasetError where the Hub refuses, or the repository holds
    something that is no dataset of ours.
    """
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi

    api = HfApi()
    with TemporaryDirectory() as temporary:
        out = Path(temporary) / "dataset"
        dataset = export(folder, out, answers=answers)
        names = files(dataset, answers=answers)
        with _failures(repo, "log in with `hf auth login`, or set HF_TOKEN"):
            api.create_repo(repo, repo_type="dataset", private=private, exist_ok=True)
            there = set(api.list_repo_files(repo, repo_type="dataset")) - {".gitattributes"}
            if MANIFEST not in there and there - {CARD}:
                raise DatasetError(f"{repo} holds something else", "name another repository")
            commit = api.create_commit(  # not `upload_folder`, which makes several
                repo,
                repo_type="dataset",
                operations=[
                    *(CommitOperationDelete(name) for name in sorted(there - set(names))),
                    *(CommitOperationAdd(name, out / name) for name in names),
                ],
                commit_message=f"{dataset.manifest.name}, rows {dataset.manifest.id[:8]}",
            )
    return str(commit.commit_url)


@contextmanager
def _failures(name: str, hint: str) -> Iterator[None]:
    """What the Hub or the way to it refuses is one line."""
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    try:
        yield
    except (HfHubHTTPError, HFValidationError, OSError) as error:
        lines = [line for line in str(error).splitlines() if line.strip()]
        said = lines[0] if lines else type(error).__name__
        raise DatasetError(f"{name} on the Hub: {said}", hint) from error
