"""Ridge regression for every strength from one eigendecomposition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_X_y

from infimum.data.designs import Design
from infimum.data.validation import accept_weights
from infimum.losses import Squared
from infimum.models.linear._problem import LinearProblem
from infimum.parameters import check_domain, nonnegative
from infimum.typing import Matrix, Vector

__all__ = ["RidgeSpectrum"]

#: Eigenvalues below this share of the largest count as 0.
NEGLIGIBLE = 1e-13


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
        X, y = check_X_y(
            X,
            y,
            accept_sparse=["csr", "csc"],
            dtype=[np.float64, np.float32],
            y_numeric=True,
        )
        problem = LinearProblem.of(
            X,
            (np.asarray(y, dtype=np.float64),),
            Squared(),
            accept_weights(sample_weight, X),
            intercept=fit_intercept,
        )
        n, target = problem.design.shape[0], problem.targets[0]
        raw = problem.sample_weight
        share = np.full(n, 1.0 / n) if raw is None else raw / raw.sum()
        mean = float(share @ target) if fit_intercept else 0.0
        values, vectors = _decompose(problem.design, share)
        pull = problem.design.pull_back(share * (target - mean))
        loadings = vectors.T @ np.asarray(pull, dtype=np.float64)
        return cls(values, vectors, loadings, problem.means, mean)

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


def _decompose(design: Design, share: Vector) -> tuple[Vector, Matrix]:
    n, d = design.shape
    if d <= n:
        values, vectors = np.linalg.eigh(design.gram(share))
        kept = values > NEGLIGIBLE * values[-1]
        return values[kept], vectors[:, kept]
    rows = np.sqrt(share)[:, None] * np.asarray(design.toarray(), dtype=np.float64)
    values, left = np.linalg.eigh(rows @ rows.T)
    kept = values > NEGLIGIBLE * values[-1]
    # An eigenvector u of the outer product gives Xᵀu, of length √s, of the inner one.
    vectors = (rows.T @ left[:, kept]) / np.sqrt(values[kept])
    return values[kept], vectors
