"""Rows: what a door admits, and what every estimator is given."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.typing import Indices, Vector

__all__ = ["Rows"]


@dataclass(frozen=True, eq=False)
class Rows:
    """Samples with all that belongs to them, checked once.

    Parameters
    ----------
    X : array or list
        Samples: dense float32 or float64, CSR or CSC, or a list of things.
    y : array, optional
        Codes of classes, numbers to tell, or None.
    weights : array, optional
        A finite weight of 0 or more for each sample, class weights multiplied in;
        None: 1 each.
    offset : array, optional
        What is known of each score beforehand.
    classes : array, optional
        The sorted labels that the codes stand for; a list of them for several outputs.

    Examples
    --------
    >>> import numpy as np
    >>> admitted = Rows(np.eye(3), np.array([0, 1, 0]), np.array([1.0, 0.0, 2.0]))
    >>> admitted.of_weight().y, admitted.shares()
    (array([0, 0]), array([1., 0., 2.]))
    """

    X: Any
    y: Any = None
    weights: Vector | None = None
    offset: Vector | None = None
    classes: Any = None

    def __len__(self) -> int:
        return int(self.X.shape[0]) if hasattr(self.X, "shape") else len(self.X)

    def shares(self) -> Vector:
        """Return the weight of each sample, 1 where none were given."""
        return np.ones(len(self)) if self.weights is None else self.weights

    def of_weight(self) -> Rows:
        """Return the samples that weigh more than 0."""
        if self.weights is None or self.weights.all():
            return self
        return self.at(np.flatnonzero(self.weights))

    def at(self, places: Indices | NDArray[Any]) -> Rows:
        """Return the samples at some positions."""
        X = self.X
        X = X[places] if hasattr(X, "shape") else [X[i] for i in places]
        parts = {
            name: None if value is None else value[places]
            for name in ("y", "weights", "offset")
            for value in [getattr(self, name)]
        }
        return replace(self, X=X, **parts)
