"""The smallest entries of each row; ties go to the lower index."""

import numpy as np

from infimum.typing import Indices, Matrix

__all__ = ["rank", "smallest"]


def rank(values: Matrix, names: Indices) -> Indices:
    """Return the order of each row by value; the lower name first among equals."""
    by_name = np.argsort(names, axis=1, kind="stable")
    sorted_values = np.take_along_axis(values, by_name, axis=1)
    by_value = np.argsort(sorted_values, axis=1, kind="stable")
    return np.take_along_axis(by_name, by_value, axis=1)


def smallest(values: Matrix, count: int) -> tuple[Matrix, Indices]:
    """Return the `count` smallest entries of each row and where they stand, in order.

    Among equal entries the first ones are taken, so the answer has no freedom.
    """
    names = np.broadcast_to(np.arange(values.shape[1]), values.shape)
    if count < values.shape[1]:
        names = np.argpartition(values, count - 1, axis=1)[:, :count]
        bar = np.take_along_axis(values, names, axis=1).max(axis=1, keepdims=True)
        tied = np.count_nonzero(values <= bar, axis=1) > count
        stable = np.argsort(values[tied], axis=1, kind="stable")
        names[tied] = stable[:, :count]
    kept = np.take_along_axis(values, names, axis=1)
    order = rank(kept, names)
    ordered = np.take_along_axis(kept, order, axis=1)
    return ordered, np.take_along_axis(names, order, axis=1)
