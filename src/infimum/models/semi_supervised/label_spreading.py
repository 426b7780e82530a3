"""Label spreading: labels pass along a normalised graph, and may be overruled."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.models.semi_supervised._edges import Edges
from infimum.models.semi_supervised._label_model import LabelModel
from infimum.parameters import check_domain, opened
from infimum.typing import Mask, Matrix

__all__ = ["LabelSpreading"]


class LabelSpreading(LabelModel):
    r"""Classifier of the unlabelled samples of a set that doubts the labels given.

    .. math:: F ← α\, D^{-1/2} W D^{-1/2} F + (1 - α)\, Y

    for weights W without loops: a share α of each label comes from the neighbours.

    Parameters
    ----------
    kernel, gamma, n_neighbors, tol, n_jobs
        As in `LabelPropagation`.
    alpha : float, default=0.2
        Share of the neighbours, within (0, 1).
    max_iter : int, default=30

    Attributes
    ----------
    X_, classes_, label_distributions_, transduction_, reached_, n_iter_
        As in `LabelPropagation`.

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [1.0], [1.1], [1.2]]
    >>> LabelSpreading().fit(X, [0, -1, -1, 1, -1, -1]).transduction_
    array([0, 0, 0, 1, 1, 1])

    References
    ----------
    Zhou, Bousquet, Lal, Weston & Schölkopf (2004), NIPS 16.
    """

    def __init__(
        self,
        kernel: Any = "rbf",
        *,
        gamma: float = 20,
        n_neighbors: int = 7,
        alpha: float = 0.2,
        max_iter: int = 30,
        tol: float = 1e-3,
        n_jobs: int | None = None,
    ) -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.n_neighbors = n_neighbors
        self.alpha = alpha
        self.max_iter = max_iter
        self.tol = tol
        self.n_jobs = n_jobs

    def _check(self) -> None:
        super()._check()
        check_domain("LabelSpreading.alpha", self.alpha, opened(0, 1))

    def _sweep(self, edges: Edges, F: Matrix, given: Matrix, free: Mask) -> Matrix:
        # Each copy's loop is cut; copies of the same sample stay joined.
        loop = np.minimum(edges.own, edges.back)
        arriving = np.maximum(edges.back - loop, 0.0)
        roots = np.sqrt(np.where(arriving > 0, arriving, 1.0))[:, None]
        scaled = F / roots
        passed = np.maximum(edges.times(scaled) - loop[:, None] * scaled, 0.0)
        return np.asarray(self.alpha * passed / roots + (1.0 - self.alpha) * given)
