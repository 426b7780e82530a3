"""Removing the sensitive columns, and those that give them away (pre-processing)."""

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, TransformerMixin

from infimum.data.doors import check_fitted
from infimum.errors import DataError
from infimum.parameters import Domains, check_parameters, closed, or_none
from infimum.typing import Indices, Matrix, Vector

__all__ = ["SensitiveRemover"]


class SensitiveRemover(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A table without its sensitive columns, or also without their proxies.

    Dropping the sensitive columns alone ("unawareness") does not make decisions fair:
    other columns may tell the group. Dropping everything that is correlated with them
    goes further, and may drop everything that is relevant.

    Parameters
    ----------
    columns : sequence of int
        Positions of the sensitive columns.
    limit : float in [0, 1], default=None
        Drop also the columns whose correlation with a sensitive one exceeds this in
        size; None drops the sensitive columns only.

    Attributes
    ----------
    correlations_ : ndarray
        Largest size of a correlation of each column with a sensitive one.
    kept_ : ndarray of int
        The columns that stay.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.fairness import SensitiveRemover
    >>> X = np.array([[0.0, 1, 5], [0, 2, 1], [1, 7, 4], [1, 8, 2]])
    >>> SensitiveRemover([0]).fit(X).kept_
    array([1, 2])
    >>> SensitiveRemover([0], limit=0.9).fit(X).kept_
    array([2])
    """

    _domains: ClassVar[Domains] = {
        "limit": or_none(closed(0, 1)),
    }

    def __init__(self, columns: Any = (0,), limit: float | None = None) -> None:
        self.columns = columns
        self.limit = limit

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Decide which columns go; return self."""
        check_parameters(self)
        table: Matrix = np.asarray(X, dtype=np.float64)
        sensitive = np.asarray(self.columns, dtype=np.intp)
        if table.ndim != 2 or np.any((sensitive < 0) | (sensitive >= table.shape[1])):  # noqa: PLR2004
            raise DataError(
                f"SensitiveRemover.columns {sensitive.tolist()} are not columns of a "
                f"table of shape {table.shape}."
            )
        self.correlations_ = _correlations(table, sensitive)
        gone = np.isin(np.arange(table.shape[1]), sensitive)
        if self.limit is not None:
            gone |= self.correlations_ > self.limit
        self.kept_: Indices = np.flatnonzero(~gone)
        self.n_features_in_ = table.shape[1]
        return self

    def transform(self, X: ArrayLike) -> Matrix:
        """Return the columns that stay."""
        check_fitted(self, "kept_")
        return np.asarray(X, dtype=np.float64)[:, self.kept_]


def _correlations(table: Matrix, sensitive: Indices) -> Vector:
    centred = table - table.mean(axis=0)
    lengths = np.linalg.norm(centred, axis=0)
    unit = centred / np.where(lengths > 0, lengths, 1.0)
    return np.asarray(np.abs(unit.T @ unit[:, sensitive]).max(axis=1))
