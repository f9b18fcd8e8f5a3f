"""Cells as a data frame whose columns keep every number and text exactly as the cells hold them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from deskcheck.evaluate.cells import COMPLETED, Cell

if TYPE_CHECKING:
    import pandas as pd

_TYPES = {"str": "string", "bool": "boolean", "int": "Int64", "float": "Float64"}
"""Nullable types: a missing count makes no float of the others, and "007" stays text."""


def cells_frame(cells: Iterable[Cell]) -> pd.DataFrame:
    """One row for each cell, in their order; a column for each field, pd.NA where it is None."""
    import pandas as pd

    rows = list(cells)
    return pd.DataFrame(
        {
            each.name: pd.array([getattr(cell, each.name) for cell in rows], dtype=_type(each.type))
            for each in fields(Cell)
        }
    )


def completed(cells: pd.DataFrame) -> pd.DataFrame:
    """The cells to which a reply came back, whatever it was: those that R counts."""
    return cells[cells["status"].isin(sorted(COMPLETED))]


def right(cells: pd.DataFrame) -> NDArray[np.float64]:
    """1.0 for each cell whose status is correct, else 0.0."""
    return np.asarray(cells["status"] == "correct", dtype=np.float64)


def numbers(cells: pd.DataFrame, column: str) -> NDArray[np.float64]:
    """The column's values; the column must have none missing."""
    return cells[column].to_numpy(dtype=np.float64)


def labels(cells: pd.DataFrame, column: str) -> NDArray[Any]:
    """The column's texts."""
    return cells[column].to_numpy(dtype=object)


def _type(annotation: Any) -> Any:
    return _TYPES.get(str(annotation).removesuffix(" | None"), "string")
