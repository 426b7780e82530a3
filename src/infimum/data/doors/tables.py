"""The doors of tables: rows with labels, with numbers, without either, and new rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.data.doors.admitted import Rows
from infimum.data.doors.fitted import check_fitted
from infimum.data.doors.labels import check_labels, class_weighted, coded, refuse_few
from infimum.data.doors.limits import refuse_huge
from infimum.data.doors.reading import few_rows, read
from infimum.data.doors.weights import known_scores, weighed
from infimum.errors import DataError

__all__ = [
    "labelled",
    "measured",
    "moderate_targets",
    "real_targets",
    "rows",
    "samples",
]

_TWO = 2


def labelled(
    estimator: Any,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    offset: Any = None,
    class_weight: Any = None,
    fewest: int = 2,
    weightless: str = "keep",
    **how: Any,
) -> Rows:
    """Admit rows with class labels.

    Parameters
    ----------
    estimator : object
        Who asks; told only the number of features and their names.
    X, y : array-like
        What the user gave.
    sample_weight : array-like, optional
        Finite weights of 0 or more, not all 0.
    offset : array-like, optional
        What is known of each score: one a sample, or one a class if there are more
        than two.
    class_weight : dict or "balanced", optional
        What the weights of each class are multiplied by.
    fewest : int
        As many classes must there be.
    weightless : {"keep", "drop", "forget"}
        What happens to rows of weight 0: they stay; they go; they go, with the classes
        that only they have.
    how : dict
        `missing`, `moderate`, `reset` and scikit-learn's options; see `read`.

    Examples
    --------
    >>> from infimum import LogisticRegression
    >>> found = labelled(LogisticRegression(), [[0.0], [1.0], [3.0]], ["b", "a", "b"])
    >>> found.y.tolist(), found.classes.tolist(), found.weights
    ([1, 0, 1], ['a', 'b'], None)
    """
    owner = type(estimator).__name__
    X, y = read(estimator, X, y, **how)
    labels = np.asarray(y)
    check_labels(labels)
    weights = None if sample_weight is None else weighed(sample_weight, X)
    if weightless == "forget" and weights is not None and not weights.all():
        kept = np.flatnonzero(weights)
        X, labels, weights = X[kept], labels[kept], weights[kept]
    classes, codes = coded(labels)
    if len(classes) < fewest:
        refuse_few(owner, classes, fewest)
    known = None
    if offset is not None:
        columns = len(classes) if len(classes) > _TWO else 1
        known = known_scores(owner, len(codes), offset, columns=columns)
    if class_weight is not None:
        weights = class_weighted(owner, class_weight, classes, codes, weights)
    admitted = Rows(X, codes, weights, known, classes)
    return admitted if weightless == "keep" else admitted.of_weight()


def measured(
    estimator: Any,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    offset: Any = None,
    exposure: Any = None,
    multi_output: bool = False,
    weightless: str = "keep",
    **how: Any,
) -> Rows:
    """Admit rows with numbers to tell, several a row if allowed.

    Parameters
    ----------
    estimator, X, y, sample_weight, weightless, how
        As for `labelled`; ``moderate=True`` looks at the targets too.
    offset, exposure : array-like, optional
        What is known of each score: offset + log(exposure).
    multi_output : bool
        Whether a row may have several numbers to tell.

    Examples
    --------
    >>> from infimum import Ridge
    >>> found = measured(Ridge(), [[0.0], [1.0]], [3, 4], [1, 0], weightless="drop")
    >>> found.X, found.y, found.weights
    (array([[0.]]), array([3.]), array([1.]))
    """
    X, y = read(estimator, X, y, numeric=True, several=multi_output, **how)
    wanted = moderate_targets if how.get("moderate") else real_targets
    targets = wanted(estimator, y)
    weights = None if sample_weight is None else weighed(sample_weight, X)
    known = None
    if offset is not None or exposure is not None:
        owner = type(estimator).__name__
        known = known_scores(owner, len(targets), offset, exposure)
    admitted = Rows(X, targets, weights, known)
    return admitted if weightless == "keep" else admitted.of_weight()


def rows(
    estimator: Any,
    X: Any,
    sample_weight: Any = None,
    *,
    weightless: str = "keep",
    **how: Any,
) -> Rows:
    """Admit rows without targets; the options are those of `labelled`.

    Examples
    --------
    >>> from infimum.models.clustering import KMeans
    >>> rows(KMeans(), [[0.0], [1.0]], [2.0, 1.0]).weights
    array([2., 1.])
    """
    X, _ = read(estimator, X, **how)
    weights = None if sample_weight is None else weighed(sample_weight, X)
    admitted = Rows(X, weights=weights)
    return admitted if weightless == "keep" else admitted.of_weight()


def samples(estimator: Any, X: Any, **how: Any) -> Any:
    """Admit new rows for a fitted estimator, with the features it was fitted on.

    Examples
    --------
    >>> from infimum import Ridge
    >>> model = Ridge().fit([[0.0], [1.0]], [3.0, 4.0])
    >>> samples(model, [[2]])
    array([[2.]])
    """
    if not how and few_rows(estimator, X):
        return X
    check_fitted(estimator)
    return read(estimator, X, reset=False, **how)[0]


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
