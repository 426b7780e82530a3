"""Fairness in training: a threshold or a linear classifier under a constraint."""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import null_space
from scipy.optimize import minimize
from sklearn.base import BaseEstimator, ClassifierMixin

from infimum.data.doors import check_fitted, winners
from infimum.errors import DataError
from infimum.evaluation import PlainRecord
from infimum.fairness.disparity import unfairness
from infimum.losses import Logistic
from infimum.parameters import (
    Domains,
    check_domain,
    check_parameters,
    nonnegative,
    positive,
)
from infimum.typing import Matrix, Vector

__all__ = ["CovarianceConstrainedClassifier", "FairThreshold", "fair_threshold"]


@dataclass(frozen=True)
class FairThreshold(PlainRecord):
    """The rule sign·(x - threshold) > 0, its error and its unfairness."""

    threshold: float
    sign: int
    error: float
    unfairness: float


def fair_threshold(
    x: ArrayLike, y: ArrayLike, attribute: ArrayLike, tolerance: float = 1.0
) -> FairThreshold:
    r"""Minimise the error of a threshold under a bound on unfairness, exactly.

    .. math:: \min_f \hat R(f) \quad\text{subject to}\quad |unf(f)| \le τ

    The unfairness of a sign jumps, so this problem is hard in general; for thresholds
    on one number all rules can be tried.

    Parameters
    ----------
    x : array-like of shape (n,)
    y : array-like of shape (n,)
        Labels -1 and +1.
    attribute : array-like of shape (n,)
        Groups 0 and 1.
    tolerance : float, default=1.0

    Examples
    --------
    >>> from infimum.fairness import fair_threshold
    >>> free = fair_threshold([1, 2, 3, 4], [-1, -1, 1, 1], [0, 0, 1, 1])
    >>> fair = fair_threshold([1, 2, 3, 4], [-1, -1, 1, 1], [0, 0, 1, 1], tolerance=0.5)
    >>> free.error, free.unfairness, fair.error, fair.unfairness
    (0.0, 1.0, 0.25, 0.5)
    """
    check_domain("fair_threshold's tolerance", tolerance, nonnegative)
    values, labels = np.asarray(x, float), np.asarray(y, float)
    cuts = np.unique(values)
    middles = 0.5 * (cuts[1:] + cuts[:-1])
    best: FairThreshold | None = None
    for threshold in [cuts[0] - 1.0, *middles, cuts[-1] + 1.0]:
        for sign in (1, -1):
            scores = sign * (values - threshold)
            gap = unfairness(scores, attribute)
            error = float(np.mean(np.where(scores > 0, 1, -1) != labels))
            allowed = abs(gap) <= tolerance + 1e-12
            if allowed and (best is None or error < best.error):
                best = FairThreshold(float(threshold), sign, error, gap)
    if best is None:  # choosing everybody has unfairness 0
        raise DataError("fair_threshold found no rule within the tolerance.")
    return best


class CovarianceConstrainedClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    r"""Logistic regression whose scores hardly vary with the sensitive attribute.

    .. math:: \min_{w, b} \frac1n \sum_i \log(1 + e^{-y_i f(x_i)})
        + \frac{λ}{2}\|w\|^2 \quad\text{subject to}\quad |\mathrm{cov}(a, f(x))| \le c

    The covariance is linear in w, so the problem stays convex; it stands in for the
    unfairness of the decisions, which is not. It may be too lax a stand-in: scores can
    have covariance 0 and decisions be far from equal. Both are reported.

    Parameters
    ----------
    limit : float, default=0.0
        The bound c.
    strength : float, default=1e-3
        The strength λ.

    Attributes
    ----------
    coef_, intercept_ : the linear score
    covariance_ : float
        Covariance of attribute and score on the training rows.
    unfairness_ : float
        Difference of the shares of positive scores on the training rows.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.fairness import CovarianceConstrainedClassifier
    >>> rng = np.random.default_rng(0)
    >>> a = rng.integers(0, 2, 400)
    >>> X = rng.standard_normal((400, 2)) + a[:, None] * [2.0, 0.0]
    >>> y = X.sum(axis=1) > 1
    >>> free = CovarianceConstrainedClassifier(limit=10.0).fit(X, y, a)
    >>> fair = CovarianceConstrainedClassifier(limit=0.0).fit(X, y, a)
    >>> abs(fair.covariance_) < 1e-9, abs(fair.unfairness_) < 0.5 * free.unfairness_
    (True, True)

    References
    ----------
    M. Zafar et al. (2017), Fairness constraints, AISTATS. M. Lohaus, M. Perrot and
    U. von Luxburg (2020), Too relaxed to be fair, ICML.
    """

    _domains: ClassVar[Domains] = {
        "limit": nonnegative,
        "strength": positive,
    }

    def __init__(self, limit: float = 0.0, *, strength: float = 1e-3) -> None:
        self.limit = limit
        self.strength = strength

    def fit(self, X: ArrayLike, y: ArrayLike, attribute: ArrayLike) -> Self:
        """Fit to rows of two classes and groups 0 and 1; return self."""
        check_parameters(self)
        table: Matrix = np.asarray(X, dtype=np.float64)
        self.classes_ = np.unique(np.asarray(y))
        if len(self.classes_) != 2:  # noqa: PLR2004
            raise DataError(
                "CovarianceConstrainedClassifier needs 2 classes, got "
                f"{len(self.classes_)}."
            )
        signs = np.where(np.asarray(y) == self.classes_[1], 1.0, -1.0)
        member = np.asarray(attribute, dtype=np.float64)
        pull = (member - member.mean()) @ table / len(table)
        w, b = self._solve(table, signs, np.zeros(len(table)))
        slope = float(pull @ w)
        # A pull of the size of rounding errors has no direction.
        rounding = 1e-12 * float(np.abs(table).max(initial=0.0) * np.linalg.norm(w))
        if abs(slope) > self.limit + rounding:
            # The bound is active: w = (its part along the pull, now known) + free part.
            known = np.sign(slope) * self.limit * pull / (pull @ pull)
            free = null_space(pull[None, :])
            z, b = self._solve(table @ free, signs, table @ known)
            w = known + free @ z
        self.coef_, self.intercept_ = w[None, :], np.array([b])
        self.n_features_in_ = table.shape[1]
        scores = self.decision_function(table)
        self.covariance_ = float(np.mean((member - member.mean()) * scores))
        self.unfairness_ = unfairness(scores, attribute)
        return self

    def decision_function(self, X: ArrayLike) -> Vector:
        """Return the scores; positive means the second class."""
        check_fitted(self, "coef_")
        return np.asarray(
            np.asarray(X, dtype=np.float64) @ self.coef_[0] + self.intercept_[0]
        )

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the class of each row."""
        found = winners(self.decision_function(X))
        return np.asarray(self.classes_[found])

    def _solve(self, X: Matrix, y: Vector, offset: Vector) -> tuple[Vector, float]:
        """Minimise the mean logistic loss of Xz + b + offset, with a ridge on z."""
        loss = Logistic()

        def objective(point: Vector) -> tuple[float, Vector]:
            f = X @ point[:-1] + point[-1] + offset
            value = float(np.mean(loss.value(y, f)))
            value += 0.5 * self.strength * float(point[:-1] @ point[:-1])
            slopes = np.asarray(Logistic.derivative_formula(y, f, ())) / len(y)
            gradient = X.T @ slopes + self.strength * point[:-1]
            return value, np.append(gradient, slopes.sum())

        found = minimize(
            objective,
            np.zeros(X.shape[1] + 1),
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": 5000, "ftol": 1e-15, "gtol": 1e-10},
        )
        return found.x[:-1], float(found.x[-1])
