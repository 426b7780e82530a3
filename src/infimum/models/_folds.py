"""Folds of rows for estimators that judge themselves on rows held back."""

from __future__ import annotations

from typing import Any

from sklearn.model_selection import check_cv

from infimum.errors import DataError
from infimum.typing import Indices, Vector

__all__ = ["folds_of"]


def folds_of(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    classifier: bool = False,
    weights: Vector | None = None,
) -> list[tuple[Indices, Indices]]:
    """Return the rows to learn from and those to judge by, as `cv` asks for.

    Too few rows for so many folds are refused in the words of scikit-learn. A sample of
    weight 0 is no sample: a fold tells nothing, and is left out, where all rows of one
    of its parts have none.
    """
    owner = type(estimator).__name__
    try:
        folds = list(check_cv(estimator.cv, y, classifier=classifier).split(X, y))
    except ValueError as error:
        raise DataError(f"{owner}.cv: {error}") from None
    if weights is None:
        return folds
    kept = [fold for fold in folds if all(weights[part].any() for part in fold)]
    if not kept:
        raise DataError(
            f"{owner} found no fold in which samples of positive weight are both "
            "learnt from and held back."
        )
    return kept
