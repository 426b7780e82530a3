"""The door of things: strings, graphs, sets, or the kernel values of anything."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import (
    check_array,
    check_consistent_length,
    column_or_1d,
)

from infimum.data.doors.admitted import Rows
from infimum.data.doors.fitted import check_fitted
from infimum.data.doors.labels import check_labels, class_weighted, coded, refuse_few
from infimum.data.doors.reading import read
from infimum.data.doors.tables import labelled, rows
from infimum.data.doors.weights import weighed
from infimum.errors import DataError

__all__ = ["are_things", "check_square", "things"]

_TABLE = 2


def things(
    machine: Any,
    X: Any,
    y: Any = None,
    sample_weight: Any = None,
    *,
    door: Callable[..., Rows] = rows,
    reset: bool = True,
    **how: Any,
) -> Rows:
    """Admit what a kernel compares: a list of things, a table, or a kernel matrix.

    Parameters
    ----------
    machine : object
        Who asks. Its ``kernel`` says what it compares; "precomputed": X are values.
    X, y, sample_weight
        What the user gave.
    door : function
        What y are: `labelled`, `measured`, or `rows` for none.
    reset : bool
        Whether these are the things of a fit, or new ones for a fitted machine.
    how : dict
        Options of the door.

    Examples
    --------
    >>> from infimum.data.doors import labelled
    >>> from infimum.kernels import Spectrum
    >>> from infimum.models.kernel import SVC
    >>> found = things(SVC(kernel=Spectrum(2)), ["ab", "ba"], [3, 1], door=labelled)
    >>> found.X, found.y
    (['ab', 'ba'], array([1, 0]))
    """
    if not reset:
        check_fitted(machine)
    plain = type(X) is np.ndarray and X.ndim == _TABLE and X.dtype.kind == "f"
    if not plain and are_things(machine.kernel, X):
        if not reset:
            return Rows(list(X))
        return _listed(machine, list(X), y, sample_weight, door, **how)
    if not reset:
        X, _ = read(machine, X, reset=False, moderate=True, **how)
        return Rows(_laid_out(machine, X))
    data = (X, sample_weight) if door is rows else (X, y, sample_weight)
    found = door(machine, *data, moderate=True, **how)
    laid = _laid_out(machine, found.X, square=True)
    return found if laid is found.X else replace(found, X=laid)


def _laid_out(machine: Any, X: Any, *, square: bool = False) -> Any:
    """Return kernel values as an array, a sparse table by rows, others as they are."""
    if isinstance(machine.kernel, str) and machine.kernel == "precomputed":
        if square:
            check_square(machine, X)
        return np.asarray(X.toarray() if _is_sparse(X) else X)
    return sparse.csr_array(X) if _is_sparse(X) else X


def are_things(kernel: Any, X: Any) -> bool:
    """Tell whether X is a collection of things rather than a table of numbers.

    Only kernels that do not read rows compare such; they may still be given a table,
    as a function of two samples is.
    """
    reads_rows = getattr(kernel, "reads_rows", None)
    if isinstance(kernel, str) or reads_rows or _is_sparse(X):
        return False
    if hasattr(X, "columns") or not callable(kernel):
        return False
    if hasattr(X, "__array__"):
        array = np.asarray(X)
        return array.dtype.kind not in "fiub" or array.ndim != _TABLE
    if reads_rows is not None:
        return True
    return not isinstance(next(iter(X), ()), list | tuple | np.ndarray)


def check_square(machine: Any, X: Any) -> None:
    """Refuse kernel values that are not those of some samples with each other."""
    if X.shape[0] != X.shape[1]:
        raise DataError(
            f"{type(machine).__name__} reads a precomputed kernel, which must be a "
            f"square matrix, got shape {X.shape}."
        )


def _listed(
    machine: Any,
    given: list[Any],
    y: Any,
    sample_weight: Any,
    door: Callable[..., Rows],
    *,
    class_weight: Any = None,
    fewest: int = 2,
    multi_output: bool = False,
    weightless: str = "keep",
    **of_tables: Any,
) -> Rows:
    """Admit a list of things with their targets and weights."""
    owner = type(machine).__name__
    classes: Any = None
    targets: Any = None
    if not given:
        raise DataError(f"{owner} needs things to learn from, got 0.")
    if door is labelled:
        check_consistent_length(given, y)
        labels = column_or_1d(y)
        check_labels(labels)
        classes, targets = coded(labels)
        refuse_few(owner, classes, fewest)
    elif door is not rows:
        targets = check_array(y, ensure_2d=False, dtype=np.float64)
        targets = targets if multi_output else column_or_1d(targets)
        check_consistent_length(given, targets)
    weights = weighed(sample_weight, given)
    if classes is not None and class_weight is not None:
        weights = class_weighted(owner, class_weight, classes, targets, weights)
    admitted = Rows(given, targets, weights, None, classes)
    return admitted if weightless == "keep" else admitted.of_weight()


def _is_sparse(X: Any) -> bool:
    return bool(sparse.issparse(X))
