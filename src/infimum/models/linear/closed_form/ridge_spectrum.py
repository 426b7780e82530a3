"""Ridge regression for every strength from one eigendecomposition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.data.doors import table, weighed
from infimum.models.linear.closed_form._moments import centred_targets, squared_problem
from infimum.models.linear.closed_form._ridge_eigen import RidgeEigen
from infimum.parameters import check_domain, nonnegative
from infimum.typing import Matrix, Vector

__all__ = ["RidgeSpectrum"]


@dataclass(frozen=True, eq=False)
class RidgeSpectrum:
    r"""The second-moment matrix of a least-squares problem, decomposed once.

    .. math:: M = \tfrac1n X^\top X = V S V^\top, \qquad
              (M + λI)^{-1} \tfrac1n X^\top y
              = V \operatorname{diag}\Bigl(\frac{1}{s_j + λ}\Bigr)
                V^\top \tfrac1n X^\top y

    minimises :math:`\frac1n\|y - Xw\|^2 + λ\|w\|^2`, which is
    ``Ridge(alpha=n * strength)``. After the decomposition each further strength costs
    one matrix-vector product. X is centred where there is an intercept. When samples
    are fewer than features the n × n matrix is decomposed instead.

    Attributes
    ----------
    eigenvalues : ndarray
        The s that are not 0, ascending.
    vectors : ndarray of shape (n_features, len(eigenvalues))
        The columns of V that go with them.
    loadings : ndarray
        :math:`V^\top \frac1n X^\top y`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[2.0, 0.0], [0.0, 1.0]])
    >>> spectrum = RidgeSpectrum.of(X, [2.0, 1.0], fit_intercept=False)
    >>> spectrum.eigenvalues, spectrum.condition()
    (array([0.5, 2. ]), 4.0)
    >>> spectrum.solve(0.5)
    (array([0.8, 0.5]), 0.0)
    """

    eigenvalues: Vector
    vectors: Matrix
    loadings: Vector
    means: Vector
    target_mean: float

    @classmethod
    def of(
        cls, X: Any, y: Any, sample_weight: Any = None, *, fit_intercept: bool = True
    ) -> RidgeSpectrum:
        """Decompose the problem of predicting `y` from `X`."""
        X, y = table(
            X,
            y,
            accept_sparse=["csr", "csc"],
            dtype=[np.float64, np.float32],
            y_numeric=True,
        )
        target = np.asarray(y, dtype=np.float64)
        weights = weighed(sample_weight, X)
        problem = squared_problem(X, (target,), weights, intercept=fit_intercept)
        eigen = RidgeEigen.of(problem)
        mean = float(centred_targets(problem)[1][0])
        loadings = eigen.loadings[:, 0]
        return cls(eigen.values, eigen.vectors, loadings, problem.means, mean)

    def solve(self, strength: float) -> tuple[Vector, float]:
        """Return coefficients and intercept; at strength 0, the shortest solution."""
        check_domain("RidgeSpectrum.solve strength", strength, nonnegative)
        w = self.vectors @ (self.loadings / (self.eigenvalues + strength))
        return w, self.target_mean - float(self.means @ w)

    def condition(self, strength: float = 0.0) -> float:
        """Return the ratio of the extreme eigenvalues of M + strength·I."""
        check_domain("RidgeSpectrum.condition strength", strength, nonnegative)
        d, rank = self.vectors.shape
        least = float(self.eigenvalues[0]) if rank == d else 0.0
        largest = float(self.eigenvalues[-1]) if rank else 0.0
        if least + strength == 0.0:
            return np.inf
        return (largest + strength) / (least + strength)

    def degrees_of_freedom(self, strength: float) -> float:
        """Return Σ s / (s + strength): how many directions are not shrunken away."""
        check_domain("RidgeSpectrum.degrees_of_freedom strength", strength, nonnegative)
        return float(np.sum(self.eigenvalues / (self.eigenvalues + strength)))
