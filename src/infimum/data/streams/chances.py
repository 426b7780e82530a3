"""A number in (0, 1) for each row, from its number and a seed alone."""

import numpy as np

from infimum.typing import Indices, Vector

__all__ = ["chances"]

_MIX = np.uint64(0x9E3779B97F4A7C15)


def chances(seed: int, rows: Indices) -> Vector:
    """Return a number in (0, 1) for each row number, the same wherever it is read."""
    with np.errstate(over="ignore"):
        mixed = rows.astype(np.uint64) * _MIX + np.uint64(seed) * np.uint64(0xD1B54A33)
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    mixed ^= mixed >> np.uint64(31)
    return (mixed >> np.uint64(11)).astype(np.float64) * 2.0**-53 + 2.0**-54
