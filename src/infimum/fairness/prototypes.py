"""Fair representations: rows told by their likeness to prototypes (pre-processing)."""

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize
from scipy.special import expit, softmax
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin

from infimum.data.doors import check_fitted, winners
from infimum.errors import DataError
from infimum.parameters import Domains, check_parameters, nonnegative, whole
from infimum.typing import Matrix, Vector

__all__ = ["FairPrototypes"]

_ROUNDING = 1e-4
#: Shares of the weight of parity, one after the other; the kink is rounder before.
_STEPS = (0.001, 0.01, 0.1, 1.0)
_TINY = 1e-9


class FairPrototypes(ClassifierMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    r"""A representation by prototypes that hides the group and keeps the rest.

    A row becomes its likenesses :math:`M_k(x) \propto e^{-\|x - v_k\|^2}` to prototypes
    v, which are chosen to minimise

    .. math:: A_z \sum_k |\bar M_k^{(1)} - \bar M_k^{(0)}| + A_x \|x - \hat x\|^2
        + A_y \,\text{log loss}(y, M w)

    so that both groups are equally like every prototype, rows can be told apart, and
    labels can be predicted. The problem is not convex; a local minimum is found.

    Parameters
    ----------
    n_prototypes : int, default=5
    parity, reconstruction, accuracy : float
        The weights :math:`A_z, A_x, A_y`.
    max_iter : int, default=300
    random_state : int, default=0

    Attributes
    ----------
    prototypes_ : ndarray of shape (n_prototypes, d)
    label_weights_ : ndarray of shape (n_prototypes,)
    parity_gap_ : float
        The parity term on the training rows: 0 hides the group in the average.

    References
    ----------
    R. Zemel et al. (2013), Learning fair representations, ICML.
    """

    _domains: ClassVar[Domains] = {
        "n_prototypes": whole(1),
        "parity": nonnegative,
        "reconstruction": nonnegative,
        "accuracy": nonnegative,
    }

    def __init__(
        self,
        n_prototypes: int = 5,
        *,
        parity: float = 50.0,
        reconstruction: float = 0.01,
        accuracy: float = 1.0,
        max_iter: int = 300,
        random_state: int = 0,
    ) -> None:
        self.n_prototypes = n_prototypes
        self.parity = parity
        self.reconstruction = reconstruction
        self.accuracy = accuracy
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike, attribute: ArrayLike) -> Self:
        """Find prototypes for rows with two classes and two groups; return self."""
        check_parameters(self)
        table: Matrix = np.asarray(X, dtype=np.float64)
        self.classes_, codes = np.unique(np.asarray(y), return_inverse=True)
        members, group = np.unique(np.asarray(attribute), return_inverse=True)
        if len(self.classes_) != 2 or len(members) != 2:  # noqa: PLR2004
            raise DataError(
                "FairPrototypes needs 2 classes and 2 groups, got "
                f"{len(self.classes_)} and {len(members)}."
            )
        ones = group == 1
        contrast = np.where(ones, 1 / ones.sum(), -1 / np.sum(~ones))
        generator = np.random.default_rng(self.random_state)
        rows = generator.choice(len(table), self.n_prototypes)
        start = table[rows] + 0.1 * generator.standard_normal(
            (len(rows), table.shape[1])
        )
        point = np.concatenate([start.ravel(), np.zeros(self.n_prototypes)])
        # Parity alone is best at prototypes that tell nothing; it comes in by steps.
        for step in _STEPS:
            point = minimize(
                self._objective,
                point,
                args=(table, codes.astype(np.float64), contrast, step),
                jac=True,
                method="L-BFGS-B",
                options={"maxiter": self.max_iter},
            ).x
        self.prototypes_, self.label_weights_ = self._unpack(point, table.shape[1])
        self.n_features_in_ = table.shape[1]
        self.parity_gap_ = float(np.abs(contrast @ self.transform(table)).sum())
        return self

    def transform(self, X: ArrayLike) -> Matrix:
        """Return the likeness of each row to each prototype; rows sum to 1."""
        check_fitted(self, "prototypes_")
        return _likeness(np.asarray(X, dtype=np.float64), self.prototypes_)

    def predict_proba(self, X: ArrayLike) -> Matrix:
        """Return the probabilities of the two classes."""
        chance = np.clip(self.transform(X) @ self.label_weights_, 0.0, 1.0)
        return np.column_stack([1 - chance, chance])

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the more probable class of each row."""
        found = winners(self.predict_proba(X))
        return np.asarray(self.classes_[found])

    def _unpack(self, point: Vector, d: int) -> tuple[Matrix, Vector]:
        split = self.n_prototypes * d
        return point[:split].reshape(self.n_prototypes, d), expit(point[split:])

    def _objective(
        self, point: Vector, X: Matrix, y: Vector, contrast: Vector, step: float
    ) -> tuple[float, Vector]:
        """Return the objective and its gradient in prototypes and label weights."""
        parity, rounding = self.parity * step, _ROUNDING / step
        v, w = self._unpack(point, X.shape[1])
        M = _likeness(X, v)
        gaps = contrast @ M
        # |t| is rounded at 0, so that it has a slope everywhere.
        sizes = np.sqrt(np.square(gaps) + rounding**2)
        left = M @ v - X
        chance = np.clip(M @ w, _TINY, 1 - _TINY)
        n = len(X)
        value = parity * sizes.sum()
        value += self.reconstruction * np.square(left).sum() / n
        value -= self.accuracy * np.mean(
            y * np.log(chance) + (1 - y) * np.log(1 - chance)
        )
        slope = self.accuracy * (chance - y) / (chance * (1 - chance)) / n
        pull = (2 * self.reconstruction / n) * left
        G = parity * np.outer(contrast, gaps / sizes)
        G += pull @ v.T + np.outer(slope, w)
        H = M * (G - np.sum(G * M, axis=1, keepdims=True))
        in_v = M.T @ pull + 2 * (H.T @ X - H.sum(axis=0)[:, None] * v)
        in_w = (M.T @ slope) * w * (1 - w)
        return float(value), np.concatenate([in_v.ravel(), in_w])


def _likeness(X: Matrix, v: Matrix) -> Matrix:
    squares = np.square(X).sum(1)[:, None] - 2 * X @ v.T + np.square(v).sum(1)
    return np.asarray(softmax(-squares, axis=1))
