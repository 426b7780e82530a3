"""Explanation by example: the most similar row about which was decided alike."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.evaluation import PlainRecord
from infimum.explanation._mosaic import Mosaic
from infimum.parameters import check_domain, whole
from infimum.typing import Indices, Vector

__all__ = ["Exemplars", "similar_rows"]


@dataclass(frozen=True)
class Exemplars(PlainRecord):
    """Rows that resemble a row and got the same decision, the most similar first."""

    row: int
    decision: Any
    rows: Indices
    distances: Vector


def similar_rows(model: Any, X: Any, row: int, most: int = 1) -> Exemplars:
    """Return the rows of a table most similar to one of them, with equal decision.

    Numeric columns count by their difference in standard deviations, others by 1 where
    they differ; a value that is missing on one side counts as different.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.explanation import similar_rows
    >>> from infimum.models.linear import LogisticRegression
    >>> X = np.array([[0.0], [1.0], [1.5], [3.0]])
    >>> model = LogisticRegression().fit(X, [0, 0, 1, 1])
    >>> similar_rows(model, X, row=1).rows
    array([0])
    """
    check_domain("similar_rows' most", most, whole(1))
    table = Mosaic(X)
    if not 0 <= row < table.n_rows:
        raise DataError(f"similar_rows' row must be in [0, {table.n_rows - 1}].")
    said = np.asarray(model.predict(X))
    squares = np.zeros(table.n_rows)
    for place in range(len(table.names)):
        squares += _squared_differences(table.column(place), row)
    alike = np.flatnonzero((said == said[row]) & (np.arange(table.n_rows) != row))
    order = alike[np.argsort(squares[alike], kind="stable")][:most]
    return Exemplars(row, said[row], order, np.sqrt(squares[order]))


def _squared_differences(values: Any, row: int) -> Vector:
    if values.dtype.kind != "f":
        return np.array([float(value != values[row]) for value in values])
    known = np.isfinite(values)
    spread = float(values[known].std()) if known.any() else 0.0
    if not known[row] or spread == 0.0:
        return np.asarray(known != known[row], dtype=np.float64)
    return np.where(known, np.square((values - values[row]) / spread), 1.0)
