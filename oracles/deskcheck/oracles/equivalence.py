"""Are two answers the same, and where do they first differ?"""

from __future__ import annotations

from typing import Literal

Rule = Literal["json", "tokens", "lines", "bytes"]
