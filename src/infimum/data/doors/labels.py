"""Labels: how classes are coded, which class wins, and what classes weigh.

One convention for the winner. A matrix of scores has a column for each class and the
largest wins, the first of several that are equally large. A vector of scores belongs
to two classes: the second wins where the score is above 0, the first elsewhere, at
exactly 0 too. Support vector machines give a 0 to the second class, as LIBSVM does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import assert_all_finite

from infimum.data.doors.arguments import flattened, vector
from infimum.errors import DataError, InvalidParameterError
from infimum.parameters import nonnegative
from infimum.typing import Indices, Matrix, Vector

__all__ = [
    "admit_labels",
    "balance",
    "check_labels",
    "class_factors",
    "class_weighted",
    "coded",
    "coded_columns",
    "codes_among",
    "refuse_few",
    "sign_rows",
    "winners",
]

_CLOSE, _FAR = 4096, 2**62
_TWO = 2


def winners(scores: NDArray[Any], *, at_zero: int = 0) -> Indices:
    """Return the position of the class that wins for each sample.

    Parameters
    ----------
    scores : array of shape (n_samples,) or (n_samples, n_classes)
        One score for two classes, or one for each class.
    at_zero : {0, 1}
        Which of two classes wins with a score of exactly 0.

    Returns
    -------
    array of shape (n_samples,)
        The column of the largest score, the first of equals. Without columns: 1 if
        the score is above 0, else 0.

    Examples
    --------
    >>> winners(np.array([-1.0, 0.0, 2.0]))
    array([0, 0, 1])
    >>> winners(np.array([[1.0, 1.0], [0.0, 2.0]]))
    array([0, 1])
    """
    if scores.ndim == 1:
        return (scores >= 0 if at_zero else scores > 0).astype(np.intp)
    return np.asarray(scores.argmax(axis=1))


def check_labels(y: Any) -> None:
    """Raise unless y are labels: classes, not measurements, and none missing."""
    kind = np.asarray(y).dtype.kind
    if kind in "biu" and np.ndim(y) == 1:  # whole numbers are labels always
        return
    with np.errstate(over="ignore", invalid="ignore"):  # floats are added and rounded
        if kind == "f":
            assert_all_finite(y, input_name="y")
        check_classification_targets(y)


def admit_labels(y: Any) -> NDArray[Any]:
    """Admit one label for each sample, none missing; a column with a warning."""
    labels = vector(y, warn=True)
    check_labels(labels)
    return labels


def coded(y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the sorted labels and where among them each sample's is.

    Whole numbers close together are counted, which takes a tenth of sorting them.

    Examples
    --------
    >>> labels, codes = coded(np.array(["b", "a", "b"]))
    >>> labels.tolist(), codes.tolist()
    (['a', 'b'], [1, 0, 1])
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


def coded_columns(y: NDArray[Any]) -> tuple[Any, Indices]:
    """Return the labels of each output and a column of codes for each.

    One output has one array of labels, several have a list of them. A single column is
    taken with a warning.
    """
    y = flattened(y)
    check_labels(y)
    if y.ndim == 1:
        classes, codes = coded(y)
        return classes, codes[:, None]
    found = [coded(column) for column in y.T]
    return [classes for classes, _ in found], np.column_stack([c for _, c in found])


def codes_among(owner: str, classes: NDArray[Any], y: NDArray[Any]) -> Indices:
    """Return the position of each label among known classes; refuse others."""
    codes = np.minimum(np.searchsorted(classes, y), len(classes) - 1)
    others = y[classes[codes] != y]
    if len(others):
        raise DataError(
            f"{owner} knows the classes {classes.tolist()}, got {others[0]!r}."
        )
    return np.asarray(codes)


def refuse_few(owner: str, classes: NDArray[Any], fewest: int) -> None:
    """Raise if there are too few classes to tell apart."""
    if len(classes) < fewest:
        raise DataError(
            f"{owner} needs {fewest} classes or more, got 1 class: "
            f"{classes.tolist()[0]!r}."
        )


def sign_rows(codes: Indices, count: int) -> Matrix:
    """Return ±1 for each score: one for two classes, else one against the rest."""
    rows = np.arange(count)[:, None] if count > _TWO else np.array([[1]])
    return np.where(codes[None, :] == rows, 1.0, -1.0)


def class_weighted(
    owner: str,
    wanted: Any,
    classes: Any,
    codes: Indices,
    weights: Vector | None,
) -> Vector | None:
    """Multiply each sample's weight by that of its class.

    "balanced" counts weights, so that a weight of k stays the same as k copies.
    Several outputs are columns of codes; then each has classes and weights of its own.
    """
    if wanted is None:
        return weights
    several = codes.ndim > 1
    columns = codes.T if several else codes[None]
    known = classes if several else [classes]
    rules = _each(owner, wanted, len(columns))
    given = np.ones(len(codes)) if weights is None else weights
    found = given
    for rule, labels, column in zip(rules, known, columns, strict=True):
        found = found * class_factors(owner, rule, labels, column, given)[column]
    if not found.any():
        raise InvalidParameterError(
            f"{owner}.class_weight must leave some sample a weight above 0, got "
            f"{wanted!r}."
        )
    return np.asarray(found)


def class_factors(
    owner: str, wanted: Any, classes: NDArray[Any], codes: Indices, weights: Vector
) -> Vector:
    """Return the factor that `class_weight` gives to each class."""
    if wanted is None:
        return np.ones(len(classes))
    if isinstance(wanted, str) and wanted == "balanced":
        return balance(codes, weights, len(classes))
    if not isinstance(wanted, Mapping):
        raise InvalidParameterError(
            f"{owner}.class_weight must be None, 'balanced' or a dict, got {wanted!r}."
        )
    for label, factor in wanted.items():
        if factor not in nonnegative:
            raise InvalidParameterError(
                f"{owner}.class_weight must be in [0, inf) for every class, got "
                f"{factor!r} for {label!r}."
            )
    known = classes.tolist()
    unknown = [label for label in wanted if label not in known]
    if unknown and any(label not in wanted for label in known):
        raise InvalidParameterError(
            f"{owner}.class_weight names {unknown[0]!r}, which is none of the classes "
            f"{known}."
        )
    return np.array([float(wanted.get(label, 1.0)) for label in known])


def balance(codes: Indices, weights: Vector, count: int) -> Vector:
    """Return factors that make all classes weigh the same in sum; 1 if one is absent.

    The sum of all weights stays.
    """
    shares = np.bincount(codes, weights=weights, minlength=count)
    there = shares > 0
    whole = weights.sum() / max(1, np.count_nonzero(there))
    return np.where(there, whole / np.where(there, shares, 1.0), 1.0)


def _each(owner: str, wanted: Any, outputs: int) -> list[Any]:
    """Return the rule of each output: a list has one for each."""
    if not isinstance(wanted, list | tuple):
        if outputs > 1 and isinstance(wanted, Mapping):
            raise InvalidParameterError(
                f"{owner}.class_weight of {outputs} outputs must be 'balanced' or a "
                "list of dicts, one for each."
            )
        return [wanted] * outputs
    if len(wanted) != outputs:
        raise InvalidParameterError(
            f"{owner}.class_weight has {len(wanted)} entries for {outputs} outputs."
        )
    return list(wanted)
