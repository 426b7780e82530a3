"""Sizes of vectors: the p-norms for every p > 0, and what is left as p goes to 0."""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from infimum.errors import InvalidParameterError

__all__ = ["p_norm", "p_power", "support_size"]


def p_power(w: ArrayLike, p: float, axis: int | None = None) -> Any:
    r"""Return Σ |wᵢ|ᵖ, with 0⁰ read as 0, so that p = 0 counts the nonzeros.

    Parameters
    ----------
    w : array
    p : float
        A finite number of at least 0.
    axis : int or None, default=None
        None sums over the whole array.

    Examples
    --------
    >>> float(p_power([3.0, 0.0, -4.0], 0))
    2.0
    """
    if not 0 <= p < math.inf:
        raise InvalidParameterError(f"p_power: p must be in [0, inf), got {p!r}.")
    size = np.abs(np.asarray(w, dtype=np.float64))
    return np.where(size > 0, size**p, 0.0).sum(axis=axis)


def p_norm(w: ArrayLike, p: float, axis: int | None = None) -> Any:
    r"""Return (Σ |wᵢ|ᵖ)^{1/p}; a norm, and convex, exactly when p ≥ 1.

    The largest entry is divided out first, so that no power overflows.

    Parameters
    ----------
    w : array
    p : float
        A number above 0; infinity gives the largest absolute value.
    axis : int or None, default=None
        None treats the array as one long vector.

    Examples
    --------
    >>> float(p_norm([3.0, -4.0], 2))
    5.0
    """
    if not p > 0:
        raise InvalidParameterError(f"p_norm: p must be in (0, inf], got {p!r}.")
    size = np.abs(np.asarray(w, dtype=np.float64))
    largest = size.max(axis=axis, keepdims=True, initial=0.0)
    if math.isinf(p):
        return largest.squeeze() if axis is None else largest.squeeze(axis)
    relative = size / np.where(largest > 0, largest, 1.0)
    norm = largest * p_power(relative, p, axis).reshape(largest.shape) ** (1 / p)
    return norm.squeeze() if axis is None else norm.squeeze(axis)


def support_size(w: ArrayLike, axis: int | None = None) -> Any:
    """Return the number of nonzero weights, the "zero-norm" lim_{p→0} Σ |wᵢ|ᵖ."""
    return np.count_nonzero(np.asarray(w), axis=axis)
