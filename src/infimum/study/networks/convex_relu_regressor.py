"""One network with a proof: ReLU units of one input, as a convex problem."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin

from infimum.certificates import certify
from infimum.data.designs import as_design
from infimum.data.doors import measured, samples
from infimum.errors import DataError
from infimum.losses import Squared
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.warnings import UncertifiedWarning
from infimum.objectives import LinearRisk
from infimum.parameters import check_domain, positive
from infimum.penalties import Lasso, WeightedLasso
from infimum.solvers import choose, relay
from infimum.typing import Matrix, Vector

__all__ = ["ConvexReluRegressor"]


class ConvexReluRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    r"""The best ReLU network of one input and one hidden layer, with its proof.

    .. math:: \min_{a, b, v, w, t} \frac{1}{2n} \sum_i \bigl(y_i - f(x_i)\bigr)^2
              + \frac{α}{2} \sum_j (v_j^2 + w_j^2), \qquad
              f(x) = a + b x + \sum_j v_j |w_j x - t_j|_+

    With any number of units this is a convex problem in f: for a given kink the penalty
    is least when both weights are equal, and is then α times the change of slope. The
    best f is a piecewise linear function with kinks at the samples, so that a lasso
    over all of them solves it and proves it.

    Parameters
    ----------
    alpha : float, default=0.001
        Strength of the weight decay.
    tol : float, default=1e-8
        Relative duality gap at which to stop.

    Attributes
    ----------
    knots_, coef_ : ndarray of shape (n_units,)
        Where the slope changes, and by how much.
    intercept_, slope_ : float
        The straight line beneath.
    certificate_ : Certificate
        The proof: no network of any width has a smaller objective than its dual.

    Examples
    --------
    >>> x = np.linspace(-1.0, 1.0, 21)[:, None]
    >>> model = ConvexReluRegressor(alpha=1e-4).fit(x, np.abs(x[:, 0]))
    >>> model.knots_.round(6), model.certificate_.closed
    (array([0.]), True)

    References
    ----------
    Savarese, Evron, Soudry & Srebro (2019), COLT.
    """

    def __init__(self, alpha: float = 0.001, *, tol: float = 1e-8) -> None:
        self.alpha = alpha
        self.tol = tol

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the best network; return self.

        Parameters
        ----------
        X : array-like of shape (n_samples, 1)
            Samples of one feature.
        y : array-like of shape (n_samples,)
            Targets.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        check_domain("ConvexReluRegressor.alpha", self.alpha, positive)
        check_domain("ConvexReluRegressor.tol", self.tol, positive)
        given = measured(
            self, X, y, sample_weight, accept_sparse=False, moderate=True,
            weightless="drop",
        )  # fmt: skip
        if given.X.shape[1] != 1:
            raise DataError(
                "ConvexReluRegressor takes one feature, X has "
                f"{given.X.shape[1]} feature(s)."
            )
        x, shares = given.X[:, 0].astype(np.float64), given.shares()
        self._solve(x, given.y, shares / shares.sum())
        return self

    def predict(self, X: Any) -> Vector:
        """Return the answer for each sample."""
        x = samples(self, X)[:, 0].astype(np.float64)
        kinks = np.maximum(x[:, None] - self.knots_, 0.0)
        return np.asarray(self.intercept_ + self.slope_ * x + kinks @ self.coef_)

    @property
    def penalty_(self) -> float:
        """The total change of slope."""
        return float(np.abs(self.coef_).sum())

    def _solve(self, x: Vector, y: Vector, shares: Vector) -> None:
        """Take the line out of targets and kinks, then solve the lasso that is left."""
        knots, middle, level = np.unique(x)[1:-1], float(shares @ x), float(shares @ y)
        place, height = x - middle, y - level
        line = np.column_stack([np.ones_like(x), place])
        root = np.sqrt(shares)
        basis = np.linalg.qr(root[:, None] * line)[0]
        kinks = np.maximum(x[:, None] - knots, 0.0)
        design = _beside(basis, root[:, None] * kinks)
        target = _beside(basis, (root * height)[:, None])[:, 0]
        # The mean of n squares is the sum of squares times the shares.
        size = np.sqrt(len(x))
        risk = LinearRisk(
            as_design(size * design), size * target, Squared(), Lasso(self.alpha),
            intercept=False,
        )  # fmt: skip
        found = relay(choose(risk)(tolerance=self.tol), risk)
        self.history_, self.n_iter_ = found.history, max(1, found.iterations)
        change = found.point[:-1]
        used = np.flatnonzero(change)
        self.knots_, self.coef_ = knots[used], change[used]
        rest = root * (height - kinks @ change)
        rise, slope = np.linalg.lstsq(root[:, None] * line, rest, rcond=None)[0]
        self.slope_ = float(slope)
        self.intercept_ = float(level + rise - slope * middle)
        columns = np.column_stack([place, kinks])
        point = np.concatenate([[slope], change, [rise]])
        risk = LinearRisk(
            as_design(columns), height, Squared(),
            WeightedLasso(self.alpha, (0.0, *np.ones(len(knots)))), shares,
            moved=abs(level),
        )  # fmt: skip
        slopes = columns @ point[:-1] + rise - height
        # What is stored is proved, by the slopes of what was found.
        point[-1] = (self.intercept_ - level) + self.slope_ * middle
        proof = replace(certify(risk, point, slopes), tolerance=self.tol)
        self.certificate_ = proof.as_fine_as_rounding_allows()
        if not self.certificate_.closed:
            told = f"ConvexReluRegressor: {self.certificate_}."
            warnings.warn(told, UncertifiedWarning, stacklevel=4)


def _beside(basis: Matrix, columns: Matrix) -> Matrix:
    """Return what no line explains; twice, so that rounding does not stay."""
    for _ in range(2):
        columns = columns - basis @ (basis.T @ columns)
    return columns
