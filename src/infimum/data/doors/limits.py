"""Numbers too large or too small to be squared and added up, refused in a sentence."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import assert_all_finite

from infimum.errors import DataError

__all__ = ["refuse_huge", "refuse_tiny", "refuse_unfinite", "told_briefly"]

#: Numbers may be this share of the root of the largest number there is: then sums of
#: many squares do not overflow.
_MODERATE = 1e-4
#: The largest and the least numbers that are taken: in double precision, where half
#: precision goes too, and in single precision.
_KINDS = (np.finfo(np.float64), np.finfo(np.float32))
_MOST = [_MODERATE * float(kind.max) ** 0.5 for kind in _KINDS]
_LEAST = [float(kind.tiny) ** 0.5 / _MODERATE for kind in _KINDS]


def refuse_huge(estimator: Any, X: Any, y: Any = None) -> None:
    """Raise if a number is so large that sums of squares would overflow."""
    owner = getattr(estimator, "__name__", type(estimator).__name__)
    values = X.data if hasattr(X, "indptr") else X
    for name, entries in (("X", values), ("y", y)):
        numbers = np.asarray(entries)
        if numbers.dtype.kind != "f" or not numbers.size:
            continue
        limit = _MOST[numbers.dtype == np.float32]
        ends = np.fmin.reduce(numbers, None), np.fmax.reduce(numbers, None)
        largest = max(-float(ends[0]), float(ends[1]))
        if largest > limit:
            raise DataError(
                f"{owner} takes numbers in {name} up to "
                f"{limit:.0e}, got {largest:.3g}: scale them, or squares overflow."
            )


def refuse_tiny(estimator: Any, X: Any) -> None:
    """Raise if all numbers are so small that their squares vanish."""
    values = np.asarray(X.data if hasattr(X, "indptr") else X)
    if values.dtype.kind != "f" or not values.size:
        return
    limit = _LEAST[values.dtype == np.float32]
    largest = max(-float(values.min()), float(values.max()))
    if 0.0 < largest < limit:
        raise DataError(
            f"{type(estimator).__name__} takes numbers in X from {limit:.0e} on, got "
            f"{largest:.3g} at most: scale them, or squares vanish."
        )


def refuse_unfinite(estimator: Any, entries: NDArray[Any]) -> None:
    """Raise if a number is missing or infinite, in the words of the other doors."""
    owner = type(estimator).__name__
    named = {"estimator_name": owner, "input_name": "X"}
    told_briefly(owner, assert_all_finite, entries, **named)


def told_briefly(
    owner: str, check: Callable[..., Any], *data: Any, **options: Any
) -> Any:
    """Run one of scikit-learn's checks; refuse in one sentence."""
    try:
        with np.errstate(over="ignore", invalid="ignore"):  # its sums may overflow
            return check(*data, **options)
    except ValueError as error:
        told = str(error)
        raise DataError(_shortened(told, owner) or told) from None


def _shortened(told: str, owner: str) -> str | None:
    """Return a sentence for what scikit-learn tells in a paragraph, or None."""
    if told.startswith("Input X contains NaN"):
        return (
            f"Input X contains NaN: {owner} takes no missing values; fill them first, "
            "for instance with SimpleImputer."
        )
    if told.startswith("Complex data not supported"):
        return f"Complex data not supported: {owner} takes real numbers."
    if told.startswith("Expected 2D array, got") and "Reshape" in told:
        return (
            f"{told.split(' instead')[0]} instead: {owner} takes a table. "  # noqa: PLC0207
            "Reshape your data with X.reshape(-1, 1) if it is one feature, with "
            "X.reshape(1, -1) if it is one sample."
        )
    return None
