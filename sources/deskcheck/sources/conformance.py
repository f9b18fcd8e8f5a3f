"""Does a pool keep its contract? The same checks for built-in pools and for third parties'."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from deskcheck.oracles.errors import DeskcheckError, PoolError
from deskcheck.oracles.identity import content_id
from deskcheck.sources.pools import Candidate, Pool, PoolInfo, PoolOptions, Unusable
from deskcheck.sources.registry import pool_names

UNKNOWN_OPTION = "no-such-option-of-any-pool"
HASH_SEEDS = ("1", "2")
_DIGEST = "digest: "


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One breach of the pool contract."""

    name: str
    """Short snake_case name of the rule, e.g. `duplicate_id`."""
    candidate_id: str
    """Empty where the pool as a whole is meant."""
    detail: str


def check_pool(pool: Pool, options: PoolOptions) -> list[Problem]:
    """Every breach found, in the order of the rules; the pool is read up to four times.

    PoolError where the options given are refused: then nothing was learnt. Pools that can be
    named are also read in two new processes under different hash seeds.
    """
    try:
        info = pool.info()
        first = list(pool.candidates(options))
        second = list(pool.candidates(options))
    except PoolError:
        raise
    except Exception as error:
        return [_whole("raises", f"reading raises {type(error).__name__}, not PoolError: {error}")]
    problems = list(_check_info(info))
    malformed = [problem for each in first for problem in _check_form(each)]
    if malformed:
        return problems + malformed
    if not first:
        problems.append(_whole("no_candidates", "the pool yields nothing under these options"))
    problems += _check_ids(first, info.name)
    for each in first:
        problems += _check_unusable(each) if isinstance(each, Unusable) else _check(each)
    if list(map(digest, first)) != list(map(digest, second)):
        problems.append(_whole("not_repeatable", "a second reading gives other candidates"))
    problems += _check_bad_option(pool, options)
    if info.name in pool_names():
        problems += _check_hash_seeds(info.name, options)
    return problems


def digest(each: Candidate | Unusable) -> str:
    """64 hexadecimal digits that name all that the pool says of one program."""
    if isinstance(each, Unusable):
        return content_id("unusable", [each.id, each.pool, each.study, each.check, each.detail])
    return content_id(
        "candidate",
        {
            "names": [each.id, each.pool, each.study],
            "program": [each.program.language, each.program.sha],
            "provenance": [
                each.provenance.licence,
                each.provenance.author,
                each.provenance.origin,
                each.provenance.url,
            ],
            "inputs": [
                [one.name, one.data.hex(), one.listed_output and one.listed_output.hex()]
                for one in each.inputs
            ],
            "final_rule": each.final_rule,
            "tags": dict(each.tags),
        },
    )


def _whole(name: str, detail: str) -> Problem:
    return Problem(name=name, candidate_id="", detail=detail)


def _check_info(info: PoolInfo) -> Iterator[Problem]:
    for field in ("name", "title", "description"):
        if not getattr(info, field).strip():
            yield _whole("info_incomplete", f"info().{field} is empty")
    for option, text in info.options.items():
        if not text.strip():
            yield _whole("info_incomplete", f"option {option!r} has no help")


def _check_form(each: object) -> Iterator[Problem]:
    """Fields of another type than declared, which the other checks could not even look at."""
    if not isinstance(each, Candidate | Unusable):
        detail = f"the pool yields a {type(each).__name__}, not a Candidate or Unusable"
        yield _whole("malformed", detail)
        return
    try:
        digest(each)
    except (TypeError, AttributeError) as error:
        yield Problem(name="malformed", candidate_id=str(each.id), detail=str(error))


def _check_ids(found: list[Candidate | Unusable], pool: str) -> Iterator[Problem]:
    for each in found:
        if each.pool != pool:
            detail = f"says pool {each.pool!r}, but the pool's name is {pool!r}"
            yield Problem(name="wrong_pool", candidate_id=each.id, detail=detail)
        if not each.study.strip():
            yield Problem(name="empty_study", candidate_id=each.id, detail="study is empty")
        if not _well_formed(each.id, pool):
            detail = (
                f"{each.id!r} must be {pool}/NAME: printable, no space, colon, backslash, "
                "empty or dotted part"
            )
            yield Problem(name="malformed_id", candidate_id=each.id, detail=detail)
    for identity, times in Counter(each.id for each in found).items():
        if times > 1:
            detail = f"yielded {times} times"
            yield Problem(name="duplicate_id", candidate_id=identity, detail=detail)


def _well_formed(identity: str, pool: str) -> bool:
    head, *rest = identity.split("/")
    return (
        head == pool
        and bool(rest)
        and not any(part in {"", ".", ".."} for part in rest)
        and identity.isprintable()
        and not any(mark.isspace() or mark in ":\\" for mark in identity)
    )


def _check_unusable(each: Unusable) -> Iterator[Problem]:
    for field in ("check", "detail"):
        if not getattr(each, field).strip():
            yield Problem(
                name="unexplained_unusable", candidate_id=each.id, detail=f"{field} is empty"
            )


def _check(each: Candidate) -> Iterator[Problem]:
    def problem(name: str, detail: str) -> Problem:
        return Problem(name=name, candidate_id=each.id, detail=detail)

    for field in ("licence", "author", "origin"):
        if not getattr(each.provenance, field).strip():
            yield problem("provenance_incomplete", f"{field} is empty")
    if not each.program.source.strip():
        yield problem("empty_source", "the program has no source")
    if len(each.inputs) < 2:
        yield problem("too_few_inputs", f"{len(each.inputs)}, where a case needs 2")
    if len({one.data for one in each.inputs}) < len(each.inputs):
        yield problem("equal_inputs", "two inputs have the same bytes")
    for name, times in Counter(one.name for one in each.inputs).items():
        if times > 1 or not name.strip():
            yield problem("input_names", f"{times} inputs are named {name!r}")


def _check_bad_option(pool: Pool, options: PoolOptions) -> Iterator[Problem]:
    bad = replace(options, options={**options.options, UNKNOWN_OPTION: "x"})
    try:
        next(iter(pool.candidates(bad)), None)
    except PoolError:
        return
    except Exception as error:
        detail = f"an unknown option raises {type(error).__name__}, not PoolError: {error}"
    else:
        detail = f"option {UNKNOWN_OPTION!r} is taken without a word; raise PoolError"
    yield _whole("bad_option", detail)


def _check_hash_seeds(name: str, options: PoolOptions) -> Iterator[Problem]:
    try:
        one, other = (_digests_elsewhere(name, options, seed) for seed in HASH_SEEDS)
    except DeskcheckError as error:
        yield _whole("hash_seed_unread", str(error))
        return
    for left, right in zip(one, other, strict=False):
        if left != right:
            detail = f"differs under hash seeds {HASH_SEEDS[0]} and {HASH_SEEDS[1]}"
            yield Problem(name="hash_seed", candidate_id=left[0], detail=detail)
            return
    if len(one) != len(other):
        yield _whole("hash_seed", f"{len(one)} and {len(other)} candidates under two hash seeds")


def _digests_elsewhere(name: str, options: PoolOptions, hash_seed: str) -> list[list[str]]:
    """[id, digest] of each candidate, as a new process with this hash seed reads them."""
    asked = {
        "name": name,
        "seed": options.seed,
        "data": options.data,
        "options": dict(options.options),
    }
    # The same search path, so that a pool found here is found there.
    environment = os.environ | {
        "PYTHONHASHSEED": hash_seed,
        "PYTHONPATH": os.pathsep.join(part for part in sys.path if part),
    }
    ended = subprocess.run(
        [sys.executable, "-P", "-m", "deskcheck.sources.conformance"],
        input=json.dumps(asked),
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    lines = ended.stdout.splitlines()
    if ended.returncode != 0 or not lines or not lines[-1].startswith(_DIGEST):
        last = (ended.stderr.strip().splitlines() or ["no output"])[-1]
        raise PoolError(f"pool {name!r} could not be read in a new process: {last}")
    found: list[list[str]] = json.loads(lines[-1].removeprefix(_DIGEST))
    return found


def _driver() -> None:
    from deskcheck.sources.registry import load_pool

    asked = json.load(sys.stdin)
    pool = load_pool(asked.pop("name"))
    found = [[each.id, digest(each)] for each in pool.candidates(PoolOptions(**asked))]
    print(_DIGEST + json.dumps(found))


if __name__ == "__main__":
    _driver()
