"""The one door through which user data enters estimators; past it, arrays are trusted.

Estimators call these functions and nothing else. Inner layers receive finite arrays of
agreeing lengths, float64 or float32, dense or compressed, and do not check again.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_sample_weight,
    assert_all_finite,
    check_is_fitted,
    validate_data,
)

from infimum.data.canonical import canonical
from infimum.errors import DataError
from infimum.typing import Vector

__all__ = [
    "accept",
    "accept_labelled",
    "accept_measured",
    "accept_samples",
    "accept_table",
    "accept_weights",
    "check_labels",
    "moderate_targets",
    "real_targets",
    "refuse_huge",
    "refuse_tiny",
    "refuse_unfinite",
]

_ADMITTED: dict[str, Any] = {
    "dtype": [np.float64, np.float32],
    "accept_sparse": ["csr", "csc"],
}
_CLOSE, _FAR = 4096, 2**62
#: Numbers may be this share of the root of the largest number there is: then sums of
#: many squares do not overflow.
_MODERATE = 1e-4


def accept_labelled(
    estimator: Any, X: Any, y: Any, *, trusting: bool = False
) -> tuple[Any, NDArray[np.intp]]:
    """Admit samples with class labels; record the sorted labels on the estimator.

    One who is `trusting` meets missing and infinite numbers while learning, and
    then calls `refuse_unfinite`.
    """
    X, y = _validated(estimator, X, y, ensure_all_finite=not trusting)
    if np.asarray(y).dtype.kind not in "biu":  # whole numbers are labels always
        check_labels(y)
    classes, codes = _coded(np.asarray(y))
    if len(classes) == 1:
        raise DataError(
            f"{type(estimator).__name__} needs 2 classes or more, got 1 class: "
            f"{classes.tolist()[0]!r}."
        )
    estimator.classes_ = classes
    return X, codes


def accept_measured(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    multi_output: bool = False,
    trusting: bool = False,
) -> tuple[Any, Vector]:
    """Admit samples with real-valued targets, several per sample if allowed."""
    options = {"multi_output": multi_output, "ensure_all_finite": not trusting}
    X, y = _validated(estimator, X, y, y_numeric=True, **options)
    return X, real_targets(estimator, y)


def real_targets(estimator: Any, y: Any) -> NDArray[np.float64]:
    """Return targets as numbers, or say that they are none."""
    try:
        return np.asarray(y, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(
            f"{type(estimator).__name__} needs numbers as targets, got y of type "
            f"{np.asarray(y).dtype}."
        ) from None


def moderate_targets(estimator: Any, y: Any) -> NDArray[np.float64]:
    """Return targets as numbers whose squares can be added up."""
    targets = real_targets(estimator, y)
    refuse_huge(estimator, targets[:0], targets)
    return targets


def accept_weights(sample_weight: Any, X: Any) -> Vector | None:
    """Admit sample weights: finite, not negative, not all 0."""
    if sample_weight is None:
        return None
    weights = _check_sample_weight(
        sample_weight, X, dtype=np.float64, ensure_non_negative=True
    )
    if not weights.any():
        raise DataError("sample_weight must not be all zero.")
    return np.asarray(weights)


def accept_samples(estimator: Any, X: Any) -> Any:
    """Admit new samples for a fitted estimator, with the features it was fitted on."""
    check_is_fitted(estimator)
    return _validated(estimator, X, reset=False)


def accept(estimator: Any, *data: Any, **options: Any) -> Any:
    """Admit X, and y if given, as scikit-learn would; refuse in one sentence."""
    given = (canonical(data[0]), *data[1:])
    return _told_briefly(estimator, validate_data, estimator, *given, **options)


def accept_table(estimator: Any, *data: Any, **options: Any) -> Any:
    """Admit X, and y if given, as scikit-learn would, but for numbers too large."""
    found = accept(estimator, *data, **options)
    refuse_huge(estimator, *(found if isinstance(found, tuple) else (found,)))
    return found


def check_labels(y: Any) -> None:
    """Raise unless y are labels: classes, not measurements, and none missing."""
    with np.errstate(over="ignore", invalid="ignore"):  # floats are added and rounded
        if np.asarray(y).dtype.kind == "f":
            assert_all_finite(y, input_name="y")
        check_classification_targets(y)


def refuse_huge(estimator: Any, X: Any, y: Any = None) -> None:
    """Raise if a number is so large that sums of squares would overflow."""
    owner = getattr(estimator, "__name__", type(estimator).__name__)
    values = X.data if hasattr(X, "indptr") else X
    for name, entries in (("X", values), ("y", y)):
        numbers = np.asarray(entries)
        if numbers.dtype.kind != "f" or not numbers.size:
            continue
        limit = _MODERATE * float(np.finfo(_worked_in(numbers)).max) ** 0.5
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
    limit = float(np.finfo(_worked_in(values)).tiny) ** 0.5 / _MODERATE
    largest = max(-float(values.min()), float(values.max()))
    if 0.0 < largest < limit:
        raise DataError(
            f"{type(estimator).__name__} takes numbers in X from {limit:.0e} on, got "
            f"{largest:.3g} at most: scale them, or squares vanish."
        )


def _worked_in(numbers: NDArray[Any]) -> type:
    """Return the precision that the door gives to numbers: half becomes double."""
    return np.float32 if numbers.dtype == np.float32 else np.float64


def refuse_unfinite(estimator: Any, entries: NDArray[Any]) -> None:
    """Raise if a number is missing or infinite, in the words of the other doors."""
    _told_briefly(
        estimator,
        assert_all_finite,
        entries,
        estimator_name=type(estimator).__name__,
        input_name="X",
    )


def _coded(y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the sorted labels and where among them each sample's is.

    Whole numbers close together are counted, which takes a tenth of sorting them.
    """
    if y.dtype.kind in "iu" and y.size and int(y.max()) < _FAR:
        low = int(y.min())
        if int(y.max()) - low < _CLOSE:
            away = y.astype(np.int64) - low
            met = np.bincount(away) > 0
            labels = (np.flatnonzero(met) + low).astype(y.dtype)
            return labels, (np.cumsum(met) - 1)[away]
    classes = np.unique(y)
    return classes, np.searchsorted(classes, y)


def _validated(estimator: Any, *data: Any, **options: Any) -> Any:
    return accept(estimator, *data, **_ADMITTED, **options)


def _told_briefly(
    estimator: Any, check: Callable[..., Any], *data: Any, **options: Any
) -> Any:
    try:
        with np.errstate(over="ignore", invalid="ignore"):  # its sums may overflow
            return check(*data, **options)
    except ValueError as error:
        told = str(error)
        told = _shortened(told, type(estimator).__name__) or told
        raise DataError(told) from None


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
