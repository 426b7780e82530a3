"""The door of streams: a batch may lack classes, and must fit those before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import column_or_1d
from sklearn.utils.validation import check_consistent_length

from infimum.data.doors.admitted import Rows
from infimum.data.doors.labels import class_factors, codes_among
from infimum.data.doors.reading import read
from infimum.data.doors.tables import labelled, real_targets
from infimum.data.doors.weights import weighed
from infimum.errors import DataError, InvalidParameterError

__all__ = ["known_classes", "streams"]


def streams(
    estimator: Any,
    X: Any,
    y: Any = None,
    sample_weight: Any = None,
    classes: Any = None,
    *,
    first: bool,
    door: Callable[..., Rows] | None = None,
    class_weight: Any = None,
    **how: Any,
) -> Rows:
    """Admit a batch of a stream.

    Parameters
    ----------
    estimator : object
        Who asks. Its ``classes_`` are those of the batches before.
    X, y, sample_weight
        The batch.
    classes : array-like, optional
        All labels that may come; needed at the first batch of labels.
    first : bool
        Whether the stream begins: then the batch says how many features there are.
    door : function, optional
        What y are, by the door that they would take in `fit`: `labelled` or
        `measured`; None: there are none.
    class_weight : dict, optional
        What the weights of each class are multiplied by.
    how : dict
        `missing`, `moderate` and scikit-learn's options.
    """
    X, _ = read(estimator, X, reset=first, **how)
    if door is None:
        return Rows(X, weights=weighed(sample_weight, X))
    targets = column_or_1d(y, warn=True)
    check_consistent_length(X, targets)
    weights = weighed(sample_weight, X)
    if door is not labelled:
        return Rows(X, real_targets(estimator, targets), weights)
    owner = type(estimator).__name__
    known = known_classes(owner, getattr(estimator, "classes_", None), classes)
    codes = codes_among(owner, known, targets)
    if class_weight is not None:
        _refuse_balance(owner, class_weight)
        given = np.ones(len(codes)) if weights is None else weights
        weights = given * class_factors(owner, class_weight, known, codes, given)[codes]
    return Rows(X, codes, weights, classes=known)


def known_classes(owner: str, known: NDArray[Any] | None, classes: Any) -> NDArray[Any]:
    """Return the classes of a stream: told at the first batch, and no others later."""
    if classes is None:
        if known is None:
            raise DataError(
                f"{owner} needs all classes at the first call of partial_fit."
            )
        return known
    found = np.unique(np.asarray(classes))
    if known is not None and not np.array_equal(known, found):
        raise DataError(
            f"{owner} has begun with the classes {known.tolist()}, got "
            f"{found.tolist()}."
        )
    if len(found) < 2:  # noqa: PLR2004
        raise DataError(f"{owner} needs 2 classes or more, got {found.tolist()}.")
    return found


def _refuse_balance(owner: str, class_weight: Any) -> None:
    if isinstance(class_weight, str):
        raise InvalidParameterError(
            f"{owner}.class_weight must be None or a dict in partial_fit, got "
            f"{class_weight!r}: a batch does not know how many samples come."
        )
