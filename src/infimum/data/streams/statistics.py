"""What one reading of all rows tells: totals, means, ranges, gaps and labels."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from infimum.data.streams.encoding import Encoding
from infimum.typing import Vector

__all__ = ["MOST_LABELS", "Statistics"]

#: A target of more different values than this is no label.
MOST_LABELS = 1000


class Statistics:
    """Sums over the leaves in their order, so that blocks do not matter."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        self.rows = 0
        self.total = 0.0
        #: By the columns of the spool; of words the weight of each level.
        self.sums: Any = 0.0
        self.squares: Any = 0.0
        self.missing: Any = 0
        self.first_missing: dict[int, int] = {}
        self.origin: Any = None
        self.levels = {k: np.zeros(0) for k in encoding.levels}
        #: The weight of each value of the target; None when there are too many.
        self.labels: dict[float, float] | None = {}
        self.y_sum = self.y_squares = 0.0
        self.y_range = np.inf, -np.inf
        self.y_origin: float | None = None

    def add(self, raw: Any, y: Vector, w: Vector) -> None:
        """Take a leaf."""
        if sparse.issparse(raw):
            self._sparse(raw, w)
        else:
            self._dense(raw, w)
        self._targets(y, w)
        self.rows, self.total = self.rows + len(y), self.total + float(w.sum())

    def _sparse(self, raw: Any, w: Vector) -> None:
        width = raw.shape[1]
        for name, power in (("sums", 1), ("squares", 2)):
            found = np.zeros(max(width, np.size(getattr(self, name))))
            found[: np.size(getattr(self, name))] = getattr(self, name)
            found[:width] += (raw**power if power > 1 else raw).T @ w
            setattr(self, name, found)

    def _dense(self, raw: Any, w: Vector) -> None:
        raw = np.asarray(raw, dtype=np.float64)
        if self.origin is None:
            self.origin = np.nan_to_num(raw[0], posinf=0.0, neginf=0.0)
        moved, gaps = raw - self.origin, np.isnan(raw)
        if gaps.any():
            moved[gaps] = 0.0
            self.missing = self.missing + gaps.sum(axis=0)
            for k in np.flatnonzero(gaps.any(axis=0)).tolist():
                row = self.rows + int(np.argmax(gaps[:, k]))
                self.first_missing.setdefault(k, row)
        self.sums = self.sums + w @ moved
        self.squares = self.squares + w @ np.square(moved, out=moved)
        for k in self.levels:
            counts = np.bincount(raw[:, k].astype(np.intp), weights=w)
            size = max(len(counts), len(self.levels[k]))
            total = np.zeros(size)
            total[: len(self.levels[k])] += self.levels[k]
            total[: len(counts)] += counts
            self.levels[k] = total

    def _targets(self, y: Vector, w: Vector) -> None:
        if self.y_origin is None:
            self.y_origin = float(y[0])
        moved = y - self.y_origin
        self.y_sum += float(w @ moved)
        self.y_squares += float(w @ moved**2)
        low, high = self.y_range
        self.y_range = min(low, float(y.min())), max(high, float(y.max()))
        if self.labels is None:
            return
        values, places = np.unique(y, return_inverse=True)
        if len(values) + len(self.labels) > 2 * MOST_LABELS:
            self.labels = None
            return
        weights = np.bincount(places, weights=w)
        for value, weight in zip(values.tolist(), weights.tolist(), strict=True):
            self.labels[value] = self.labels.get(value, 0.0) + weight
        if len(self.labels) > MOST_LABELS:
            self.labels = None

    def moments(self) -> tuple[Vector, Vector]:
        """Return the mean and the variance of each feature, missing numbers left out.

        One reading of the rows knows them to a few digits less than two would.
        """
        width = self.encoding.width
        means, spreads = np.zeros(width), np.zeros(width)
        origin = 0.0 if self.origin is None else self.origin
        sums, squares = np.zeros(width), np.zeros(width)
        if self.encoding.levels:
            self._levels(means, spreads)
        numbers, places = self.encoding.numbers, self.encoding.targets
        sums = np.broadcast_to(self.sums, self.encoding.raw_width)[numbers]
        squares = np.broadcast_to(self.squares, self.encoding.raw_width)[numbers]
        known = self._known()[numbers]
        means[places] = np.broadcast_to(origin, self.encoding.raw_width)[numbers]
        means[places] += sums / known
        spreads[places] = np.maximum(squares / known - (sums / known) ** 2, 0.0)
        return means, spreads

    def _known(self) -> Vector:
        """Return the weight of the rows where a number is there, nearly."""
        gaps = np.broadcast_to(self.missing, self.encoding.raw_width)
        share = 1.0 - gaps / max(self.rows, 1)
        return np.maximum(self.total * share, 1e-300)

    def _levels(self, means: Vector, spreads: Vector) -> None:
        for k, weights in self.levels.items():
            ranks = self.encoding.ranks[k]
            shares = np.zeros(len(ranks))
            shares[: len(weights)] = weights / self.total
            means[ranks], spreads[ranks] = shares, shares * (1.0 - shares)

    @property
    def y_mean(self) -> float:
        """The weighted mean of the targets."""
        return float(self.y_origin or 0.0) + self.y_sum / self.total

    @property
    def y_spread(self) -> float:
        """The standard deviation of the targets."""
        mean = self.y_sum / self.total
        return float(np.sqrt(max(self.y_squares / self.total - mean**2, 0.0)))
