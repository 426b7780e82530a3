"""How a table is read: plain arrays at once, all else as scikit-learn reads it."""

from __future__ import annotations

from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import validate_data

from infimum.data.canonical import canonical
from infimum.data.doors.limits import refuse_huge, told_briefly
from infimum.data.doors.streamed_rows import refuse_streamed

__all__ = ["NO_TARGETS", "describe", "few_rows", "read", "read_as"]

#: Stands where a table has no column of targets.
NO_TARGETS: Any = "no_validation"
_KINDS: list[Any] = [np.float64, np.float32]
_PLAIN = frozenset(map(np.dtype, _KINDS))
#: What scikit-learn calls the three degrees of trust.
_FINITE: dict[bool | str, Any] = {False: True, True: "allow-nan", "unchecked": False}
_TABLE = 2
#: Numbers that are looked at one by one.
_FEW = 256


def read(
    estimator: Any,
    X: Any,
    y: Any = NO_TARGETS,
    *,
    missing: bool | str = False,
    moderate: bool = False,
    numeric: bool = False,
    several: bool = False,
    reset: bool = True,
    **how: Any,
) -> tuple[Any, Any]:
    """Admit samples, with their targets if there are to be any.

    Parameters
    ----------
    estimator : object
        Who asks. It is told how many features there are, and their names.
    X, y : array-like
        What the user gave.
    missing : bool or "unchecked"
        Whether numbers may be missing; "unchecked": nor is infinity refused.
    moderate : bool
        Whether to refuse numbers so large that sums of their squares overflow.
    numeric, several : bool
        Whether targets are numbers, and whether a sample may have several.
    reset : bool
        Whether these are the samples of a fit, or new ones for a fitted estimator.
    how : dict
        Other options of scikit-learn's `validate_data`.
    """
    finite = _FINITE[missing]
    plain = _is_plain(estimator, X, finite, reset=reset) and _suits(X, **how)
    if plain and _goes_along(y, len(X), several=several):
        if reset:
            estimator.n_features_in_ = X.shape[1]
    else:
        refuse_streamed(estimator, X)
        rule = {"dtype": _KINDS, "accept_sparse": ["csr", "csc"], "reset": reset}
        rule |= {"ensure_all_finite": finite, **how}
        if y is not NO_TARGETS:
            rule |= {"y_numeric": numeric, "multi_output": several}
        found = read_as(estimator, X, y, **rule)
        X, y = found if isinstance(found, tuple) else (found, NO_TARGETS)
    if moderate:
        refuse_huge(estimator, X)
    return X, y


def read_as(estimator: Any, X: Any, y: Any, **rule: Any) -> Any:
    """Admit data as scikit-learn's `validate_data` does; refuse in one sentence."""
    data = (estimator, canonical(X), y)
    return told_briefly(type(estimator).__name__, validate_data, *data, **rule)


def describe(estimator: Any, X: Any, *, reset: bool = True) -> None:
    """Record or compare the number and names of columns; their numbers are not read.

    For estimators whose members read the table themselves.
    """
    validate_data(estimator, X, skip_check_array=True, reset=reset)


def few_rows(estimator: Any, X: Any) -> bool:
    """Tell in a microsecond that a fitted estimator can take a few samples as they are.

    Where it says no nothing is known yet: squares that overflow are not looked at.
    """
    if type(X) is not np.ndarray or X.ndim != _TABLE or not 0 < X.size <= _FEW:
        return False
    known = estimator.__dict__
    return (
        X.shape[1] == known.get("n_features_in_")
        and X.dtype in _PLAIN
        and "feature_names_in_" not in known
        and not hasattr(type(estimator), "__sklearn_is_fitted__")
        and isfinite(np.vdot(X, X))
    )


def _is_plain(estimator: Any, X: Any, finite: Any, *, reset: bool) -> bool:
    """Tell whether X can be taken as it is: an array of finite numbers."""
    known = estimator.__dict__
    return (
        type(X) is np.ndarray
        and X.ndim == _TABLE
        and X.dtype in (np.float64, np.float32)
        and X.size > 0
        and "feature_names_in_" not in known
        and (reset or known.get("n_features_in_", X.shape[1]) == X.shape[1])
        and (finite is False or _is_finite(X))
    )


def _suits(
    X: NDArray[Any],
    *,
    dtype: Any = _KINDS,
    accept_sparse: Any = False,
    accept_large_sparse: bool = True,
    ensure_min_samples: int = 1,
    ensure_min_features: int = 1,
    order: Any = None,
    **others: Any,
) -> bool:
    """Tell whether an array is what other options ask for."""
    enough = len(X) >= ensure_min_samples and X.shape[1] >= ensure_min_features
    kinds = dtype if isinstance(dtype, list) else [dtype]
    kinds = _KINDS if dtype in (None, "numeric") else kinds
    laid = order is None or (order == "C" and X.flags.c_contiguous)
    return enough and laid and X.dtype in kinds and not others


def _goes_along(y: Any, count: int, *, several: bool) -> bool:
    """Tell whether targets can be taken as they are: none, or numbers without gaps."""
    if type(y) is not np.ndarray:
        return y is NO_TARGETS
    if several and y.ndim == _TABLE and y.size and len(y) == count:
        return y.dtype.kind == "f" and _is_finite(y)
    if y.shape != (count,):
        return False
    return y.dtype.kind in "biuU" or (y.dtype.kind == "f" and _is_finite(y))


def _is_finite(numbers: NDArray[Any]) -> bool:
    """Tell whether all numbers are finite; a sum that overflows leaves it open."""
    if numbers.size <= _FEW:  # where silencing a sum costs more than a look at each
        return bool(np.isfinite(numbers).all())
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(numbers.sum()))
