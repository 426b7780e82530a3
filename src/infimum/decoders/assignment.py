"""Assignments: each row gets a column of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from infimum.errors import DataError
from infimum.typing import Indices

__all__ = ["Assignment"]


class Assignment:
    """Columns y of rows, none of them twice; the score is the sum of cells.

    There may be more columns than rows. The sum over all assignments is a permanent,
    which nobody can compute quickly: `decode` is the only verb.

    Examples
    --------
    >>> import numpy as np
    >>> Assignment().decode(np.array([[3.0, 2.0], [3.0, 0.0]]))
    (array([1, 0]), 5.0)
    """

    def decode(self, scores: Any) -> tuple[Indices, float]:
        """Return the best columns, and their score."""
        table = np.asarray(scores, dtype=np.float64)
        if table.ndim != 2 or not 0 < table.shape[0] <= table.shape[1]:  # noqa: PLR2004
            raise DataError(
                "Assignment needs a table with as many columns as rows, or more, got "
                f"shape {table.shape}."
            )
        if not np.isfinite(table).all():
            raise DataError("Assignment needs finite scores.")
        rows, columns = linear_sum_assignment(table, maximize=True)
        return columns, float(table[rows, columns].sum())

    def score(self, scores: Any, labels: Any) -> float:
        """Return the score of given columns."""
        table = np.asarray(scores, dtype=np.float64)
        return float(table[np.arange(len(table)), np.asarray(labels)].sum())
