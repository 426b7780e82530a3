"""Functions that users pass as kernels: of two samples, or of two tables of them."""

from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["of_pairs", "of_tables"]

#: What a function may say that is given the other kind of arguments.
CONFUSED = (AttributeError, IndexError, TypeError, ValueError)


def of_pairs(function: Callable[..., Any], X: Any, Z: Any) -> bool:
    """Tell whether a function of two samples returns a number for the first two."""
    try:
        value = function(next(iter(X)), next(iter(Z)))
        if np.ndim(value) == 0:
            float(value)
            return True
    except (*CONFUSED, StopIteration):
        pass
    return False


def of_tables(function: Callable[..., Any], X: Any, Z: Any) -> Any:
    """Return what a function says of two tables; None if not a value of each pair."""
    try:
        found = function(X, Z)
    except CONFUSED:
        return None
    wanted = tuple(
        int(each.shape[0]) if hasattr(each, "shape") else len(each) for each in (X, Z)
    )
    return found if getattr(found, "shape", np.shape(found)) == wanted else None
