"""Orthogonal matching pursuit: greedy selection with a refit after every choice."""

from typing import Any

import numpy as np
from scipy.linalg import solve_triangular

from infimum.data.designs import Design
from infimum.models.linear.greedy._greedy_pursuit import GreedyPursuit, Pursuit
from infimum.parameters import check_domain, whole
from infimum.typing import Vector

__all__ = ["Orthogonal", "OrthogonalMatchingPursuit"]

#: A column that keeps less than this share of its length is a combination of others.
DEPENDENT = 1e-7


class OrthogonalMatchingPursuit(GreedyPursuit):
    r"""Sparse least squares that refits all chosen coefficients at every step.

    .. math:: k = \operatorname*{argmax}_j \frac{⟨r, X^j⟩^2}{\|X^j\|^2}, \quad
              I ← I ∪ \{k\}, \quad
              w = \operatorname*{argmin}_{\operatorname{supp} w ⊆ I} \|y - Xw\|^2,
              \quad r = y - Xw

    The residual is orthogonal to every chosen column, so none is chosen twice, and a
    target that few columns explain is found in as many steps. The choice does not
    depend on the length of the columns; scikit-learn's does, and agrees on columns of
    equal length.

    Parameters
    ----------
    n_nonzero_coefs : int or None, default=None
        Number of columns to choose, ignored if `tol` is set; None means a tenth of
        them, but at least one.
    tol : float or None, default=None
        Stop as soon as the sum of squared residuals is at most this.
    fit_intercept : bool, default=True
        Whether to learn b; it is not counted.
    precompute : bool or 'auto', default='auto'
        Accepted for compatibility with scikit-learn; it needs no setting here.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,) or (n_targets, n_features)
    intercept_ : float or ndarray of shape (n_targets,)
    selected_ : ndarray of int
        The columns in the order of their choice (a list of arrays for several
        targets, as below).
    gains_ : ndarray
        What each column alone would have taken off the sum of squared residuals.
    residual_squares_ : ndarray
        That sum before the first step and after each refit.
    n_iter_ : int or list of int
        Number of columns chosen.
    n_nonzero_coefs_ : int or None
        The number asked for; None if `tol` decides.
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).standard_normal((30, 20))
    >>> model = OrthogonalMatchingPursuit(n_nonzero_coefs=2)
    >>> model.fit(X, 3 * X[:, 7] - X[:, 11]).selected_
    array([ 7, 11])

    References
    ----------
    Pati, Rezaiifar & Krishnaprasad (1993), Asilomar Conference on Signals.
    """

    def __init__(
        self,
        *,
        n_nonzero_coefs: int | None = None,
        tol: float | None = None,
        fit_intercept: bool = True,
        precompute: Any = "auto",
    ) -> None:
        self.n_nonzero_coefs = n_nonzero_coefs
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.precompute = precompute

    def _recipe(self, n_features: int) -> tuple[type[Pursuit], int]:
        asked = self.n_nonzero_coefs
        if asked is not None:
            owner = "OrthogonalMatchingPursuit.n_nonzero_coefs"
            check_domain(owner, asked, whole(1, n_features))
        wanted = max(n_features // 10, 1) if asked is None else int(asked)
        self.n_nonzero_coefs_ = wanted if self.tol is None else None
        return Orthogonal, n_features if self.tol is not None else wanted


class Orthogonal(Pursuit):
    """The chosen columns as an orthonormal basis Q and a triangle R: X_I = Q R."""

    def __init__(self, design: Design, y: Vector, weights: Vector) -> None:
        super().__init__(design, y, weights)
        self._roots = np.sqrt(weights)
        self._basis: list[Vector] = []
        self._shares: list[float] = []
        self._triangle: list[Vector] = []
        self._chosen: list[int] = []

    def select(self, k: int, coefficient: float) -> bool:
        self.free[k] = False
        column = self._roots * self.column(k)
        length = float(np.linalg.norm(column))
        parts = np.zeros(len(self._basis))
        for _ in range(2):  # once more than algebra asks: rounding leaves a remainder
            again = np.array([direction @ column for direction in self._basis])
            for part, direction in zip(again, self._basis, strict=True):
                column -= part * direction
            parts += again
        rest = float(np.linalg.norm(column))
        if rest <= DEPENDENT * length:
            return False
        direction = column / rest
        share = float(direction @ (self._roots * self.residual))
        self._basis.append(direction)
        self._triangle.append(np.append(parts, rest))
        self._shares.append(share)
        self._chosen.append(k)
        self.residual -= share * direction / self._roots
        return True

    def coefficients(self) -> Vector:
        w, size = np.zeros(self.design.shape[1]), len(self._chosen)
        if size:
            R = np.zeros((size, size))
            for j, parts in enumerate(self._triangle):
                R[: j + 1, j] = parts
            w[self._chosen] = solve_triangular(R, np.array(self._shares))
        return w
