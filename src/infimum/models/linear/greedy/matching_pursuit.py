"""Matching pursuit: forward stagewise regression."""

from typing import ClassVar

import numpy as np

from infimum.data.designs import Design
from infimum.models.linear.greedy._greedy_pursuit import GreedyPursuit, Pursuit
from infimum.parameters import Domains, whole
from infimum.typing import Vector

__all__ = ["MatchingPursuit"]


class MatchingPursuit(GreedyPursuit):
    r"""Sparse least squares that corrects one coefficient at a time.

    With the residual :math:`r_0 = y`, in every step

    .. math:: k = \operatorname*{argmax}_j \frac{⟨r, X^j⟩^2}{\|X^j\|^2}, \quad
              v = \frac{⟨r, X^k⟩}{\|X^k\|^2}, \quad
              w ← w + v e_k, \quad r ← r - v X^k .

    Coefficients chosen earlier are left alone, so a column may come up again; each
    step costs one product with X. `OrthogonalMatchingPursuit` refits them all.

    Parameters
    ----------
    max_iter : int, default=100
        Number of steps.
    tol : float or None, default=None
        Stop as soon as the sum of squared residuals is at most this.
    fit_intercept : bool, default=True
        Whether to learn b; it costs no step.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,) or (n_targets, n_features)
    intercept_ : float or ndarray of shape (n_targets,)
    selected_ : ndarray of int
        The column of each step (a list of arrays for several targets, as below).
    gains_ : ndarray
        What each step took off the sum of squared residuals.
    residual_squares_ : ndarray
        That sum before the first step and after each.
    n_iter_ : int or list of int
        Steps made.
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]])
    >>> model = MatchingPursuit(max_iter=2, fit_intercept=False).fit(X, [5.0, 1.0, 0.0])
    >>> model.selected_, model.coef_
    (array([0, 1]), array([5., 1., 0.]))

    References
    ----------
    Mallat & Zhang (1993), IEEE Transactions on Signal Processing 41(12).
    """

    _domains: ClassVar[Domains] = {
        "max_iter": whole(1),
    }

    def __init__(
        self,
        *,
        max_iter: int = 100,
        tol: float | None = None,
        fit_intercept: bool = True,
    ) -> None:
        self.max_iter = max_iter
        self.tol = tol
        self.fit_intercept = fit_intercept

    def _recipe(self, n_features: int) -> tuple[type[Pursuit], int]:
        return _Stagewise, int(self.max_iter)


class _Stagewise(Pursuit):
    def __init__(self, design: Design, y: Vector, weights: Vector) -> None:
        super().__init__(design, y, weights)
        self._coefficients = np.zeros(design.shape[1])

    def select(self, k: int, coefficient: float) -> bool:
        self._coefficients[k] += coefficient
        self.residual -= coefficient * self.column(k)
        return True

    def coefficients(self) -> Vector:
        return self._coefficients
