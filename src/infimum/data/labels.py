"""The two ways to write two classes: as signs -1 and +1, as bits 0 and 1."""

import numpy as np
from numpy.typing import ArrayLike

from infimum.errors import DataError
from infimum.typing import Vector

__all__ = ["bits_from_signs", "signs_from_bits"]


def signs_from_bits(y: ArrayLike) -> Vector:
    """Return 2y - 1: 0 becomes -1, and 1 stays.

    Examples
    --------
    >>> signs_from_bits([0, 1, 1])
    array([-1.,  1.,  1.])
    """
    return 2.0 * _labels(y, 0.0, "signs_from_bits") - 1.0


def bits_from_signs(y: ArrayLike) -> Vector:
    """Return (y + 1)/2: -1 becomes 0, and 1 stays.

    Examples
    --------
    >>> bits_from_signs([-1, 1, 1])
    array([0., 1., 1.])
    """
    return 0.5 * (_labels(y, -1.0, "bits_from_signs") + 1.0)


def _labels(y: ArrayLike, low: float, owner: str) -> Vector:
    labels = np.asarray(y, dtype=np.float64)
    unknown = labels[(labels != low) & (labels != 1.0)]
    if unknown.size:
        raise DataError(
            f"{owner} reads labels {low:g} and 1 only, found {unknown.flat[0]:g}; "
            "encode the classes first."
        )
    return labels
