"""Base of regressors that learn the precisions of prior and noise from the data."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin

from infimum.certificates import certify
from infimum.data.doors import measured, samples
from infimum.losses import Squared
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.linear._overflow import affine, blames_numbers
from infimum.models.linear._problem import LinearProblem
from infimum.parameters import Domains, check_parameters, nonnegative, whole
from infimum.penalties import Penalty
from infimum.typing import Mask, Matrix, Vector

__all__ = ["TINY", "EvidenceRegressor", "WeightedRows"]

#: What keeps a division by a sum of squares from one by 0.
TINY = 1e-300
#: The relative gap within which a posterior mean must solve its own ridge problem.
GAP = 1e-6


class WeightedRows(NamedTuple):
    """Centred samples and targets whose rows carry the roots of their weights."""

    A: Matrix
    target: Vector
    #: Total weight of the samples.
    total: float
    #: The variance of the target.
    variance: float


class EvidenceRegressor(RegressorMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """A linear model with normal noise of precision α and normal coefficients.

    Both kinds of precision are learnt by making the observed targets likely
    (MacKay's updates), and the coefficients are averaged over, not maximised.
    """

    coef_: Any
    intercept_: Any
    fit_intercept: bool
    max_iter: int
    tol: float
    _domains: ClassVar[Domains] = {
        "max_iter": whole(1),
        "tol": nonnegative,
        "alpha_1": nonnegative,
        "alpha_2": nonnegative,
        "lambda_1": nonnegative,
        "lambda_2": nonnegative,
    }

    @abstractmethod
    def _learn(self, table: WeightedRows) -> tuple[Vector, Penalty]:
        """Set what is learnt of the precisions.

        Returns the mean of the coefficients, and the penalty of which it is the
        optimum.
        """

    @whole_or_not_at_all
    @blames_numbers
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn precisions and coefficients; return self.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples, float32 or float64.
        y : array-like of shape (n_samples,)
            Targets.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        rule: dict[str, Any] = {"moderate": True, "accept_sparse": False}
        rows = measured(self, X, y, sample_weight, **rule)
        check_parameters(self)
        problem = LinearProblem.of(
            rows.X,
            (rows.y,),
            Squared(),
            rows.weights,
            intercept=bool(self.fit_intercept),
        )
        shares, target = problem.shares, problem.targets[0]
        mean = float(shares @ target) if problem.intercept else 0.0
        roots = np.sqrt(shares * problem.total)
        A = np.asarray(problem.design.toarray(), dtype=np.float64) * roots[:, None]
        variance = float(shares @ (target - shares @ target) ** 2)
        table = WeightedRows(A, (target - mean) * roots, problem.total, variance)
        w, penalty = self._learn(table)
        risk = problem.risks(penalty)[0]
        point = np.append(w, mean)
        reason = "posterior mean, given the precisions"
        self.certificate_ = replace(
            certify(risk, point), tolerance=GAP, reason=reason
        ).as_fine_as_rounding_allows()
        coef, intercept = problem.unpack(point)
        self.coef_, self.intercept_ = coef.astype(rows.X.dtype), np.float64(intercept)
        self.sigma_ = self.sigma_.astype(rows.X.dtype)
        self.X_offset_ = problem.means
        self.X_scale_ = np.ones_like(problem.means)
        return self

    def predict(self, X: Any, return_std: Any = False) -> Any:  # noqa: FBT002
        """Return the expected target of each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        return_std : bool, default=False
            Whether to return the standard deviation of a new target at each sample,
            too: what the coefficients leave open, and noise.
        """
        X = samples(self, X)
        means = affine(self, X, self.coef_, self.intercept_)
        if not return_std:
            return means
        centred: Matrix = np.asarray(X, dtype=np.float64) - self.X_offset_
        if "_kept" in vars(self):  # features that the prior has left in
            centred = centred[:, self._kept]
        spread = (centred @ self.sigma_ * centred).sum(axis=1)
        deviations = np.sqrt(spread + 1.0 / self.alpha_)
        return means, deviations.astype(means.dtype, copy=False)

    def _noise(self, table: WeightedRows, determined: float, squares: float) -> float:
        """Return the precision of the noise that explains the squares left over.

        `determined` counts the coefficients that the data and not the prior decide.
        """
        free = table.total - determined + 2.0 * self.alpha_1
        return free / max(squares + 2.0 * self.alpha_2, TINY)

    alpha_: float
    sigma_: Matrix
    _kept: Mask
    alpha_1: float
    alpha_2: float
    lambda_1: float
    lambda_2: float
