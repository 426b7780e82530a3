"""Base of windowed averages: samples, a window and its widths."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator

from infimum.data.doors import samples
from infimum.errors import DataError, InvalidParameterError
from infimum.kernels import windows
from infimum.kernels.windows import Window
from infimum.models.neighbors.nearest_neighbors import NearestNeighbors
from infimum.parameters import check_domain, positive, whole
from infimum.typing import Matrix, Vector

__all__ = ["WindowModel"]

#: Window values held at a time: 32 MiB.
BLOCK = 2**22


class WindowModel(BaseEstimator, ABC):  # type: ignore[misc]
    """Samples whose influence fades with distance, as a window says."""

    def __init__(
        self, window: Any = "gaussian", width: Any = 1.0, *, n_neighbors: int = 9
    ) -> None:
        self.window = window
        self.width = width
        self.n_neighbors = n_neighbors

    def _keep_samples(self, X: Any) -> None:
        self._window()
        self.X_fit_ = X
        self.widths_ = self._widths(X)

    def _window(self) -> Window:
        if isinstance(self.window, Window):
            return self.window
        names = {name.lower(): name for name in windows.__all__ if name != "Window"}
        if not isinstance(self.window, str) or self.window not in names:
            raise InvalidParameterError(
                f"{type(self).__name__}.window must be a window or one of "
                f"{', '.join(sorted(names))}, got {self.window!r}."
            )
        part: Window = getattr(windows, names[self.window])()
        return part

    def _widths(self, X: Matrix) -> Vector:
        """Return the width of each sample's window."""
        owner = type(self).__name__
        if not (isinstance(self.width, str) and self.width == "local"):
            check_domain(f"{owner}.width", self.width, positive)
            return np.full(len(X), float(self.width))
        check_domain(f"{owner}.n_neighbors", self.n_neighbors, whole(1))
        search = NearestNeighbors(n_neighbors=self.n_neighbors).fit(X)
        widths = 0.5 * search.kneighbors()[0].mean(axis=1)
        if not widths.all():
            raise DataError(
                f"{owner}: the {self.n_neighbors} nearest neighbours of sample "
                f"{np.argmin(widths)} are copies of it, so its local width is 0."
            )
        return np.asarray(widths)

    @abstractmethod
    def _columns(self) -> Matrix:
        """Return what is averaged, a row for each sample."""

    def _means(self, X: Any) -> Matrix:
        """Return the windowed mean of each column at each query.

        Where every window is 0, the nearest samples answer, which is the limit of a
        Gaussian window that is far away.
        """
        queries = _dense(samples(self, X))
        targets = self._columns()
        known = np.asarray(self.X_fit_, dtype=np.float64)
        size = max(1, BLOCK // len(known))
        out = np.empty((len(queries), targets.shape[1]))
        for start in range(0, len(queries), size):
            rows = slice(start, start + size)
            far = cdist(queries[rows], known) / self.widths_
            weights = self._window().profile(far)
            if self.widths_.min() < self.widths_.max():
                # A narrow window is as heavy as a wide one: its height is r⁻ᵈ.
                weights = (
                    weights * (self.widths_.min() / self.widths_) ** known.shape[1]
                )
            none = ~(weights.sum(axis=1) > 0)
            weights[none] = far[none] == far[none].min(axis=1, keepdims=True)
            out[rows] = weights @ targets / weights.sum(axis=1, keepdims=True)
        return out


def _dense(X: Any) -> Matrix:
    return np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64)
