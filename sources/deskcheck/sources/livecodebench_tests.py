"""Tests of LiveCodeBench problems: JSON texts, or JSON packed as base64, zlib and one pickled text.

Pickles are a program that the reader runs. Nothing here runs one: the few opcodes that write one
text are read by hand, and any other is a fault.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Sequence
from typing import Any

from deskcheck.sources.contest_problems import Fault, ListedTest

UNPACKED_LIMIT = 512 * 1024**2
"""Bytes of unpacked tests."""

_PROTO, _FRAME, _MEMOIZE, _STOP = 0x80, 0x95, 0x94, ord(".")
_TEXTS = {0x8C: 1, ord("X"): 4, 0x8D: 8}
"""Opcode of a text -> bytes of its length."""


class _UnreadableError(Exception):
    """Ends the unpacking with what is wrong; caught in `private_tests`."""


def public_tests(text: str) -> Sequence[ListedTest] | Fault:
    """The tests of a JSON list; each has an input and an output."""
    return _tests("public", text)


def private_tests(text: str, limit: int = UNPACKED_LIMIT) -> Sequence[ListedTest] | Fault:
    """The tests, plain or packed; a fault where they are packed in any other way."""
    if text.lstrip().startswith("["):
        return _tests("private", text)
    try:
        return _tests("private", _unpacked(text, limit))
    except _UnreadableError as error:
        return Fault(check="private_tests_unreadable", detail=f"private tests: {error}")


def _unpacked(text: str, limit: int) -> str:
    try:
        packed = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise _UnreadableError("they are neither JSON nor base64") from error
    unzip = zlib.decompressobj()
    try:
        data = unzip.decompress(packed, limit + 1)
    except zlib.error as error:
        raise _UnreadableError(f"they are no zlib data: {error}") from error
    if len(data) > limit:
        raise _UnreadableError(f"they unpack to more than {limit:,} bytes")
    if not unzip.eof:
        raise _UnreadableError("their zlib data end too soon")
    return pickled_text(data)


def pickled_text(data: bytes) -> str:
    """The one text of a pickle that holds nothing else."""
    found: str | None = None
    at = 0

    def take(count: int) -> bytes:
        nonlocal at
        part = data[at : at + count]
        if len(part) < count:
            raise _UnreadableError("their pickle ends too soon")
        at += count
        return part

    while True:
        opcode = take(1)[0]
        if opcode == _PROTO:
            take(1)
        elif opcode == _FRAME:
            take(8)
        elif opcode in _TEXTS and found is None:
            length = int.from_bytes(take(_TEXTS[opcode]), "little")
            try:
                found = take(length).decode("utf-8", "surrogatepass")
            except UnicodeDecodeError as error:
                raise _UnreadableError("their pickled text is not UTF-8") from error
        elif opcode == _STOP and found is not None:
            if at < len(data):
                raise _UnreadableError("something follows their pickle")
            return found
        elif opcode != _MEMOIZE or found is None:
            raise _UnreadableError(
                f"their pickle holds more than one text: opcode {opcode:#04x} at byte {at - 1}"
            )


def _tests(group: str, text: str) -> Sequence[ListedTest] | Fault:
    try:
        entries: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        return _unreadable(group, f"they are not JSON: {error}")
    if not isinstance(entries, list):
        return _unreadable(group, "they are no list")
    found = []
    for number, entry in enumerate(entries, 1):
        fields = entry if isinstance(entry, dict) else {}
        given, output = fields.get("input"), fields.get("output")
        if not isinstance(given, str) or not isinstance(output, str):
            return _unreadable(group, f"number {number} has no input or output that is text")
        found.append(ListedTest(name=f"{group}-{number}", input=given, output=output))
    return found


def _unreadable(group: str, detail: str) -> Fault:
    return Fault(check=f"{group}_tests_unreadable", detail=f"{group} tests: {detail}")
