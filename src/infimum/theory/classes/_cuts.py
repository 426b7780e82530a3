"""One column cut in two: the formulas that several classes share."""

import numpy as np

from infimum.theory.classes._hypothesis_class import Minimum
from infimum.typing import Mask, Vector

__all__ = ["cut_between", "cut_patterns", "least_cut"]


def cut_between(values: Vector, positive: Mask) -> float | None:
    """Return t with ``values >= t`` for the positives exactly, None without one."""
    if not positive.any():
        return float("inf")
    least = float(values[positive].min())
    return None if np.any(values[~positive] >= least) else least


def cut_patterns(values: Vector) -> Mask:
    """Return the labellings ``values >= t`` for all t, from none positive to all."""
    cuts = np.append(np.unique(values), np.inf)[::-1]
    return np.asarray(values[None, :] >= cuts[:, None])


def least_cut(values: Vector, labels: Vector, weights: Vector) -> Minimum:
    """Return the cut of least weighted error by one pass over sorted values."""
    cuts, place = np.unique(values, return_inverse=True)
    price = np.bincount(place, weights * labels, minlength=len(cuts))
    # Lowering the cut past a value makes it positive: its weight counts as agreement.
    gained = np.append(np.cumsum(price[::-1])[::-1], 0.0)
    best = int(np.argmax(gained))
    cut = float(np.append(cuts, np.inf)[best])
    return Minimum(cut, float(weights @ ((values >= cut) != (labels > 0))))
