"""Label propagation: given labels stay, the others become those of their neighbours."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from infimum.models.semi_supervised._edges import Edges
from infimum.models.semi_supervised._label_model import LabelModel
from infimum.typing import Mask, Matrix

__all__ = ["LabelPropagation"]


class LabelPropagation(LabelModel):
    r"""Classifier of the unlabelled samples of a set, by the labels around them.

    .. math:: F ← D^{-1} W F, \qquad F_i = y_i \text{ where the label is known}

    until the labels rest: then each free one is the mean of its neighbours'.

    Parameters
    ----------
    kernel : {"rbf", "knn", "knn_rbf", "precomputed"}, Kernel or callable, default="rbf"
        Weights of the graph: Gaussian ones between all samples; 1 to each of the
        nearest ones; Gaussian ones to each of the nearest; X itself, which must be
        square; or a function of two tables.
    gamma : float, default=20
        Of the Gaussian weights exp(-gamma·d²).
    n_neighbors : int, default=7
        Neighbours, the sample itself among them.
    max_iter : int, default=1000
    tol : float, default=1e-3
        Sweeps end when all labels together move by less.
    n_jobs
        Accepted for compatibility.

    Attributes
    ----------
    X_ : the samples
    classes_ : ndarray of shape (n_classes,)
    label_distributions_ : ndarray of shape (n_samples, n_classes)
    transduction_ : ndarray of shape (n_samples,)
        The likeliest class of each sample.
    reached_ : ndarray of shape (n_samples,)
        Whether any label arrives at a sample; if none does, all classes are alike.
    n_iter_ : int

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [1.0], [1.1], [1.2]]
    >>> model = LabelPropagation().fit(X, [0, -1, -1, 1, -1, -1])
    >>> model.transduction_.tolist(), model.predict([[0.3]]).tolist()
    ([0, 0, 0, 1, 1, 1], [0])

    References
    ----------
    Zhu & Ghahramani (2002), CMU-CALD-02-107.
    """

    _keeps_loops: ClassVar[bool] = True

    def __init__(
        self,
        kernel: Any = "rbf",
        *,
        gamma: float = 20,
        n_neighbors: int = 7,
        max_iter: int = 1000,
        tol: float = 1e-3,
        n_jobs: int | None = None,
    ) -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.n_neighbors = n_neighbors
        self.max_iter = max_iter
        self.tol = tol
        self.n_jobs = n_jobs

    def _sweep(self, edges: Edges, F: Matrix, given: Matrix, free: Mask) -> Matrix:
        F = edges.times(F)
        totals = F.sum(axis=1, keepdims=True)
        F = np.divide(F, totals, out=F, where=totals > 0)
        return np.where(free[:, None], F, given)
