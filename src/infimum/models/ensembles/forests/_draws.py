"""Bootstrap draws of the rows that a tree of a forest sees."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from infimum.errors import InvalidParameterError
from infimum.models._copies import copies_of
from infimum.parameters import check_domain, positive, whole
from infimum.typing import Indices, Vector

__all__ = ["draw_counts", "read_draws"]

# Beyond so many draws a row only the counts are drawn, in memory of a number a row.
MANY_DRAWS = 16


def read_draws(model: Any, weight: Vector) -> int:
    """Return how many rows a tree draws.

    Weights that are whole numbers stand for copies, so that there are as many rows as
    they add up to; others only say how likely a row is, and so do whole numbers of
    more than 16 on average: trees that draw each row so often are all alike. A row of
    weight 0 is not there.
    """
    copies, n = copies_of(weight), int(np.count_nonzero(weight))
    if copies is not None and copies.sum() <= MANY_DRAWS * n:
        n = int(copies.sum())
    given = model.max_samples
    owner = f"{type(model).__name__}.max_samples"
    if given is None:
        return n
    if not model.bootstrap:
        raise InvalidParameterError(f"{owner} needs bootstrap=True, got {given!r}.")
    if isinstance(given, Integral) and not isinstance(given, bool):
        check_domain(owner, given, whole(1))
        return int(given)
    if given not in positive:
        raise InvalidParameterError(
            f"{owner} must be a whole number from 1 on or a share above 0, got "
            f"{given!r}."
        )
    return max(1, round(n * float(given)))


def draw_counts(weight: Vector, draws: int, seed: int) -> Indices:
    """Return how often each row is drawn; its chance is its share of the weight."""
    there = np.flatnonzero(weight)
    if len(there) < len(weight):  # as if the other rows had never come
        counts = np.zeros(len(weight), dtype=np.intp)
        counts[there] = draw_counts(weight[there], draws, seed)
        return counts
    generator = np.random.default_rng(seed)
    n = len(weight)
    if draws > MANY_DRAWS * n:
        return np.asarray(generator.multinomial(draws, weight / weight.sum()))
    if (weight == weight[0]).all():
        drawn = generator.integers(0, n, size=draws)
    else:
        edges = np.cumsum(weight)
        drawn = np.searchsorted(edges, generator.random(draws) * edges[-1], "right")
        drawn = np.minimum(drawn, n - 1)
    return np.bincount(drawn, minlength=n)
