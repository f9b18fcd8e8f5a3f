"""A program as the benchmark sees it: bytes in one language."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

Language = Literal["python", "cpp"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A deterministic program that reads standard input and writes standard output."""

    language: Language
    source: bytes

    @property
    def sha(self) -> str:
        """Lower-case hexadecimal SHA-256 of the source bytes."""
        return sha256(self.source).hexdigest()

    @property
    def text(self) -> str:
        """The source, line ends and byte-order mark kept; UnicodeDecodeError if it is not UTF-8."""
        return self.source.decode("utf-8")
