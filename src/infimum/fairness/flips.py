"""Flips: what a model would say if only the sensitive attribute were another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.errors import DataError, IncompatibleError
from infimum.evaluation import PlainRecord
from infimum.typing import Matrix, Vector

__all__ = ["FlipAudit", "flip_audit"]


@dataclass(frozen=True)
class FlipAudit(PlainRecord, told=("means", "largest")):
    """Probabilities of one outcome, a row a person, a column a value of the attribute.

    `means` averages over the rows; `largest` is the largest change of one row.
    """

    values: tuple[Any, ...]
    probabilities: Matrix

    @property
    def means(self) -> Vector:
        """The mean probability if everybody had the value."""
        return np.asarray(self.probabilities.mean(axis=0))

    @property
    def largest(self) -> float:
        """The largest difference that the attribute alone makes to one row."""
        return float(np.ptp(self.probabilities, axis=1).max())


def flip_audit(
    model: Any,
    X: Any,
    column: Any,
    values: Sequence[Any] | None = None,
    *,
    favourable: Any = None,
) -> FlipAudit:
    """Return what a model says about each row with only one attribute changed.

    Parameters
    ----------
    model : classifier with predict_proba
    X : table or array
    column : name or position of the attribute
    values : sequence, optional
        The values to try; None takes all that occur.
    favourable : label, optional
        The outcome whose probability is told; None takes the last class.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.fairness import flip_audit
    >>> from infimum.models.linear import LogisticRegression
    >>> X = np.array([[0.0, 1], [1, 1], [0, 5], [1, 5]] * 10)
    >>> model = LogisticRegression().fit(X, [0, 1, 0, 1] * 10)
    >>> flip_audit(model, X, 0).values
    (0.0, 1.0)
    """
    if not hasattr(model, "predict_proba"):
        raise IncompatibleError(
            f"flip_audit needs probabilities; {type(model).__name__} gives none."
        )
    named = hasattr(X, "columns")
    table = X if named else np.array(X)
    if (named and column not in list(X.columns)) or len(table) == 0:
        raise DataError(f"flip_audit finds no column {column!r}, or no row.")
    if not named and not (table.ndim == 2 and 0 <= column < table.shape[1]):  # noqa: PLR2004
        raise DataError(f"flip_audit finds no column {column!r} in {table.shape}.")
    seen = np.asarray(table[column] if named else table[:, column])
    tried = _different(seen) if values is None else tuple(values)
    classes = np.asarray(model.classes_)
    place = len(classes) - 1
    if favourable is not None:
        if favourable not in classes.tolist():
            raise DataError(f"flip_audit knows no outcome {favourable!r}.")
        place = classes.tolist().index(favourable)
    told = [
        np.asarray(model.predict_proba(_flipped(table, column, value)))[:, place]
        for value in tried
    ]
    return FlipAudit(tried, np.column_stack(told))


def _different(seen: Any) -> tuple[Any, ...]:
    known = [each for each in seen.tolist() if each is not None and each == each]  # noqa: PLR0124
    return tuple(sorted(set(known), key=lambda each: (str(type(each)), each)))


def _flipped(table: Any, column: Any, value: Any) -> Any:
    if not hasattr(table, "columns"):
        changed = table.copy()
        changed[:, column] = value
        return changed
    if hasattr(table, "with_columns"):  # polars
        import polars as pl

        kind = table[column].dtype
        return table.with_columns(pl.lit(value).cast(kind).alias(column))
    return table.assign(**{column: value})
