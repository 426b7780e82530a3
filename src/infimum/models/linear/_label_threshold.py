"""From scores to sets of labels: the threshold with the fewest mistakes."""

from __future__ import annotations

import numpy as np

from infimum.typing import Matrix, Vector

__all__ = ["best_threshold"]


def best_threshold(y: Matrix, scores: Matrix, weights: Vector) -> float:
    """Return the number above which a score means a label, judged on known labels.

    Losses of pairs of labels say which labels come first, not how many there are. Of
    the thresholds with the least weight of wrong labels the one nearest to 0 counts.
    """
    order = np.argsort(scores, axis=None)
    levels = scores.ravel()[order]
    mass = np.repeat(weights, scores.shape[1])[order]
    present = y.ravel()[order] > 0
    # Above the threshold all are called labels; as it rises past a score, that score's
    # label is missed if it was there, and a false one is put right if it was not.
    start = float(mass[~present].sum())
    wrong = np.append(start, start + np.cumsum(np.where(present, mass, -mass)))
    between = np.append(levels[0] - 1.0, 0.5 * (levels[:-1] + levels[1:]))
    between = np.append(between, levels[-1] + 1.0)
    tied = np.append(np.append(False, levels[:-1] == levels[1:]), False)
    wrong[tied] = np.inf
    # Sums that cancel are right up to a share of all that was added.
    least = np.flatnonzero(wrong <= wrong.min() + 1e-12 * float(mass.sum()))
    straddling = (np.append(-np.inf, levels)[least] < 0) & (
        np.append(levels, np.inf)[least] >= 0
    )
    if straddling.any():
        return 0.0
    return float(between[least[np.argmin(np.abs(between[least]))]])
