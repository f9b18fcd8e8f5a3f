"""The seam behind which programs come from: a pool yields candidates, the builder judges them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from deskcheck.oracles.equivalence import Rule
from deskcheck.oracles.programs import Program


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Where a program comes from, carried into the dataset card."""

    licence: str
    """SPDX identifier where there is one, else the pool's own words."""
    author: str
    origin: str
    """What uncertainty clusters on: the problem, the template, the routine."""
    url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """One legal standard input. `listed_output` is a check to report, never the ground truth."""

    name: str
    data: bytes
    listed_output: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A program with at least two inputs, from which at most one case is made.

    `id` is unique in its pool and stable over runs: `<pool>/<name>`. Inputs are in the pool's
    order; which of them are the short and the long one is the builder's choice.
    """

    id: str
    pool: str
    study: str
    """The pool in one language, as tables report it, e.g. `textbook-python`."""
    program: Program
    provenance: Provenance
    inputs: tuple[Input, ...]
    final_rule: Rule = "tokens"
    """How final outputs are compared."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """Pool-specific facts for tables, e.g. `area`, `difficulty`, `date`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unusable:
    """A program that the pool inspected and could not make a candidate of."""

    id: str
    pool: str
    study: str
    check: str
    """Short snake_case reason, e.g. `not_utf8`, `too_few_inputs`."""
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolInfo:
    """What `builder pools show` prints. `options` maps each option's name to its one-line help."""

    name: str
    title: str
    description: str
    options: Mapping[str, str] = field(default_factory=dict)
    files: Collection[str] = ()
    """Options whose value is the path of a file: a build records its name and its hash instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolOptions:
    """What the user asks of a pool: where its data lie, the seed, and pool-specific options."""

    seed: int = 0
    data: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)


@runtime_checkable
class Pool(Protocol):
    """A source of programs. Built-ins stand in `sources.registry`; others come by entry point.

    `candidates` yields every program it inspects, exactly once, in a fixed order, and is a
    function of its options alone: the same bytes under any hash seed. It raises `PoolError` with
    one clear line for bad options or data, before the first program.
    """

    def info(self) -> PoolInfo: ...

    def candidates(self, options: PoolOptions) -> Iterator[Candidate | Unusable]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Options under which a pool yields `count` of its candidates, one after the other."""

    options: PoolOptions
    count: int


@runtime_checkable
class DivisiblePool(Pool, Protocol):
    """A pool that can be read in parts, by several workers, none of which reads it all.

    Its parts of at most `size` candidates, one after the other, give what `candidates` gives
    under the undivided options, and need no file that these name. PoolError as for `candidates`.
    """

    def parts(self, options: PoolOptions, size: int) -> Sequence[Part]: ...
