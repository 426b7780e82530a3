"""Resamples of rows and features, each from its own seed."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np

from infimum.errors import InvalidParameterError
from infimum.parameters import Interval, whole
from infimum.typing import Indices, Vector

__all__ = ["Resampler", "amount_of"]


@dataclass(frozen=True, eq=False)
class Resampler:
    """How many rows and features are drawn, from what, and how.

    Attributes
    ----------
    bounds : ndarray of shape (n_rows,)
        Where each row's piece of the line of weights ends.
    n_drawn : int
    replace : bool
    n_features, n_features_drawn : int
    replace_features : bool
    """

    bounds: Vector
    n_drawn: int
    replace: bool
    n_features: int
    n_features_drawn: int
    replace_features: bool

    @classmethod
    def of(cls, model: Any, shape: Any, weights: Vector | None) -> Resampler:
        """Read what a bagging model asks for."""
        n, d = shape
        line = np.cumsum(np.ones(n) if weights is None else weights)
        owner, rows = type(model).__name__, model.max_samples
        size = float(line[-1]) if isinstance(rows, Real) else n
        there = n if weights is None else int(np.count_nonzero(weights))
        wanted = (
            there if rows is None else amount_of(f"{owner}.max_samples", rows, size)
        )
        if not model.bootstrap:
            if wanted > n and isinstance(rows, Integral):
                raise InvalidParameterError(
                    f"{owner}.max_samples must be at most {n} with bootstrap=False, "
                    f"got {rows}."
                )
            wanted = min(wanted, there)
        columns = amount_of(f"{owner}.max_features", model.max_features, d)
        if columns > d:
            raise InvalidParameterError(
                f"{owner}.max_features must be at most {d}, got {model.max_features}."
            )
        kinds = bool(model.bootstrap), bool(model.bootstrap_features)
        return cls(line, wanted, kinds[0], d, columns, kinds[1])

    def draw(self, seed: int) -> tuple[Indices, Indices | None]:
        """Return rows, and features or None for all of them."""
        rng = np.random.default_rng(int(seed))
        rows = self._rows(rng)
        if self.n_features_drawn == self.n_features and not self.replace_features:
            return rows, None
        if self.replace_features:
            return rows, rng.integers(self.n_features, size=self.n_features_drawn)
        return rows, rng.permutation(self.n_features)[: self.n_features_drawn]

    def _rows(self, rng: np.random.Generator) -> Indices:
        if self.replace:
            places = rng.random(self.n_drawn) * self.bounds[-1]
            return np.asarray(np.searchsorted(self.bounds, places, side="right"))
        weights = np.diff(self.bounds, prepend=0.0)
        n = len(weights)
        if (weights == weights[0]).all():
            return np.asarray(rng.permutation(n)[: self.n_drawn])
        shares = weights / weights.sum()
        return np.asarray(rng.choice(n, self.n_drawn, replace=False, p=shares))


def amount_of(owner: str, given: Any, size: float) -> int:
    """Return a number of things, given as itself or as a share of them."""
    if isinstance(given, Integral) and given in whole(1):
        return int(given)
    if not isinstance(given, Integral) and given in Interval(0, 1, open_low=True):
        return max(1, int(float(given) * size))
    raise InvalidParameterError(
        f"{owner} must be a whole number of at least 1 or a share in (0, 1], got "
        f"{given!r}."
    )
