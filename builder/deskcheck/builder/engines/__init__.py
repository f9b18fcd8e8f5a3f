"""Where work is done: an engine hands items to workers, and gives back what they made of them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, Protocol


class Job[Item, Result](Protocol):
    """What is to be done with every item. It is sent to each worker once, pickled."""

    def toolchain(self) -> Mapping[str, Any]:
        """What on this machine decides results, and so must be the same on each that takes part.

        DeskcheckError where the job cannot be done here.
        """
        ...

    def open(self) -> Callable[[Item], Result]:
        """What a worker calls for each item. Made in the worker, once; it raises nothing."""
        ...

    def died(self, item: Item, /) -> Result:
        """The result of an item that brought its worker down twice, the second time alone."""
        ...


class Engine(Protocol):
    """Workers of one kind. Which engine it is, and how many workers, decides no result."""

    def results[Item, Result](
        self, items: Sequence[Item], job: Job[Item, Result], /
    ) -> Generator[tuple[int, Result]]:
        """Each item's index and result, as they come; closing the iterator ends the workers.

        A worker that dies takes down no more than the items it was on, which are done again.
        """
        ...
