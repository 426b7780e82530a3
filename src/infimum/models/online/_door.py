"""How rows of a stream enter: a batch may lack classes, and must fit those before."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import column_or_1d
from sklearn.utils.validation import check_consistent_length

from infimum.data.validation import accept, accept_weights
from infimum.errors import DataError, InvalidParameterError
from infimum.typing import Matrix, Vector

__all__ = [
    "admit_batch",
    "admit_rows",
    "codes_of",
    "refuse_balance",
    "settle_classes",
    "sign_rows",
]

_ADMITTED: dict[str, Any] = {
    "dtype": [np.float64, np.float32],
    "accept_sparse": ["csr", "csc"],
}


def admit_rows(estimator: Any, X: Any, *, first: bool, trusting: bool = False) -> Any:
    """Admit rows; the first batch says how many features."""
    options = {"reset": first, "ensure_all_finite": not trusting}
    return accept(estimator, X, **options, **_ADMITTED)


def admit_batch(
    estimator: Any,
    X: Any,
    y: Any,
    sample_weight: Any,
    *,
    first: bool,
    trusting: bool = False,
) -> tuple[Any, NDArray[Any], Vector]:
    """Admit rows, targets and weights; the first batch says how many features."""
    X = admit_rows(estimator, X, first=first, trusting=trusting)
    targets = column_or_1d(y, warn=True)
    check_consistent_length(X, targets)
    weights = accept_weights(sample_weight, X)
    return X, targets, np.ones(len(targets)) if weights is None else weights


def settle_classes(estimator: Any, classes: Any) -> None:
    """Learn the classes at the first batch; refuse others later."""
    owner, known = type(estimator).__name__, getattr(estimator, "classes_", None)
    if classes is None:
        if known is None:
            raise DataError(
                f"{owner} needs all classes at the first call of partial_fit."
            )
        return
    found = np.unique(np.asarray(classes))
    if known is not None and not np.array_equal(known, found):
        raise DataError(
            f"{owner} has begun with the classes {known.tolist()}, got "
            f"{found.tolist()}."
        )
    if len(found) < 2:  # noqa: PLR2004
        raise DataError(f"{owner} needs 2 classes or more, got {found.tolist()}.")
    estimator.classes_ = found


def codes_of(estimator: Any, y: NDArray[Any]) -> NDArray[np.intp]:
    """Return the position of each label among the classes."""
    classes = estimator.classes_
    codes = np.minimum(np.searchsorted(classes, y), len(classes) - 1)
    strangers = y[classes[codes] != y]
    if len(strangers):
        raise DataError(
            f"{type(estimator).__name__} knows the classes {classes.tolist()}, got "
            f"{strangers[0]!r}."
        )
    return np.asarray(codes)


def sign_rows(codes: NDArray[np.intp], count: int) -> Matrix:
    """Return ±1 for each score: one for two classes, else one against the rest."""
    rows = np.arange(count)[:, None] if count > 2 else np.array([[1]])  # noqa: PLR2004
    return np.where(codes[None, :] == rows, 1.0, -1.0)


def refuse_balance(estimator: Any) -> None:
    """Raise if classes are to be balanced in a stream."""
    if isinstance(estimator.class_weight, str):
        raise InvalidParameterError(
            f"{type(estimator).__name__}.class_weight must be None or a dict in "
            f"partial_fit, got {estimator.class_weight!r}: a batch does not know how "
            "many samples come."
        )
