"""Exact opcode counts: the INSTRUCTION events of the program's own code objects.

RESUME, CACHE, the prologue before RESUME and skipped END_FORs are not events, so they are not
counted; each EXTENDED_ARG is. The number belongs to one minor version of CPython.
"""

from __future__ import annotations

import functools
import operator
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` takes longer to import than the whole agent
    from collections.abc import Callable
    from types import CodeType
    from typing import Any

TOOL = 3
"""The monitoring tool number used, one that CPython leaves free for others."""
NAME = "deskcheck"

events = sys.monitoring.events
# Bound before the program runs, which may put anything in their places.
_get_tool, _get_events = sys.monitoring.get_tool, sys.monitoring.get_events
_get_local_events = sys.monitoring.get_local_events
_set_local_events = sys.monitoring.set_local_events
_register_callback = sys.monitoring.register_callback


class MeddledError(Exception):
    """The program has changed how it is watched."""


class OwnCode:
    """Turns local events on for every code object of the program, as each first starts.

    Waiting for the start also covers code made by `code.replace`, which a walk over the module's
    constants would miss.
    """

    def __init__(self, filename: str, wanted: int) -> None:
        self._filename = filename
        self._wanted = wanted
        self._seen: dict[int, CodeType] = {}
        self._callbacks: dict[int, Callable[..., Any]] = {}

    def begin(self, callbacks: dict[int, Callable[..., Any]]) -> None:
        sys.monitoring.use_tool_id(TOOL, NAME)
        self._callbacks = {**callbacks, events.PY_START: self._on_start}
        for event, callback in self._callbacks.items():
            _register_callback(TOOL, event, callback)
        sys.monitoring.set_events(TOOL, events.PY_START)

    def end(self) -> None:
        """Stop watching; MeddledError where the program has stopped it before, or changed it."""
        if _get_tool(TOOL) != NAME or _get_events(TOOL) != events.PY_START:
            raise MeddledError
        for event, callback in self._callbacks.items():
            if _register_callback(TOOL, event, None) is not callback:
                raise MeddledError
        for code in self._seen.values():
            if _get_local_events(TOOL, code) != self._wanted:
                raise MeddledError
            _set_local_events(TOOL, code, 0)
        sys.monitoring.set_events(TOOL, 0)
        sys.monitoring.free_tool_id(TOOL)

    def _on_start(self, code: CodeType, _offset: int) -> Any:
        if code.co_filename == self._filename and id(code) not in self._seen:
            self._seen[id(code)] = code
            _set_local_events(TOOL, code, self._wanted)
        return sys.monitoring.DISABLE


class NativeCounter:
    """Counts without a Python frame per event, so the program's recursion depth is untouched."""

    def __init__(self, filename: str) -> None:
        # A cache of size 0 calls through every time and counts each call as a miss, all in C.
        self._counter = functools.lru_cache(maxsize=0)(operator.is_)
        self._own = OwnCode(filename, events.INSTRUCTION)

    def begin(self) -> None:
        self._own.begin({events.INSTRUCTION: self._counter})

    def end(self) -> None:
        self._own.end()

    @property
    def opcodes(self) -> int:
        return self._counter.cache_info().misses


class BoundedCounter:
    """Counts in Python and calls `on_limit` at the first opcode past `limit`."""

    def __init__(self, filename: str, limit: int, on_limit: Callable[[], None]) -> None:
        self.opcodes = 0
        self._limit = limit
        self._on_limit = on_limit
        self._own = OwnCode(filename, events.INSTRUCTION)

    def begin(self) -> None:
        self._own.begin({events.INSTRUCTION: self._on_instruction})

    def end(self) -> None:
        self._own.end()

    def _on_instruction(self, _code: CodeType, _offset: int) -> None:
        self.opcodes += 1
        if self.opcodes > self._limit:
            self._on_limit()
