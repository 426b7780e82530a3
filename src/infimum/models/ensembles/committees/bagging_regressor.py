"""Bagged regressors: resample, fit, and average the predictions."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.metrics import r2_score

from infimum.data.doors import vector
from infimum.data.doors.tables import real_targets
from infimum.errors import DataError
from infimum.models.ensembles.committees._bagging import Bagging
from infimum.typing import Matrix, Vector

__all__ = ["BaggingRegressor"]


class BaggingRegressor(RegressorMixin, Bagging):  # type: ignore[misc]
    r"""Mean of the same regressor fitted to many resamples of the rows.

    .. math:: \hat f(x) = \frac1B \sum_b \hat f_b(x)

    Its variance is :math:`ρσ^2 + (1 - ρ)σ^2/B` for members of variance σ² that are
    pairwise correlated by ρ (`infimum.evaluation.variance_of_mean`); its bias is
    theirs.

    Parameters
    ----------
    estimator : regressor, optional
        What to bag; by default a full `DecisionTreeRegressor`.
    n_estimators, max_samples, max_features, bootstrap, bootstrap_features, \
    warm_start, n_jobs, random_state, verbose
        As in `BaggingClassifier`.
    oob_score : bool or callable, default=False
        Whether to judge every row by the members that had not seen it, by R² or by
        ``oob_score(y_true, y_pred)``.

    Attributes
    ----------
    estimators_ : list of fitted regressors
    estimators_samples_, estimators_features_ : list of ndarray
        What each member saw.
    oob_score_ : float
    oob_prediction_ : ndarray of shape (n_samples,)
        Mean over the members that had not seen a row, NaN if all had.

    Examples
    --------
    >>> from infimum.models.linear import LinearRegression
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 2.0, 3.0]
    >>> model = BaggingRegressor(LinearRegression(), random_state=0).fit(X, y)
    >>> model.predict([[1.5]]).round(6)
    array([1.5])
    """

    def predict(self, X: Any) -> Vector:
        """Return the mean prediction."""
        return self._mean(X)

    def _default(self) -> Any:
        from infimum.models.trees import DecisionTreeRegressor

        return DecisionTreeRegressor()

    def _targets(self, y: Any) -> Any:
        targets = real_targets(self, y)
        if targets.ndim > 1 and targets.shape[1] == 1:
            targets = vector(y, warn=True).astype(np.float64)
        if not np.isfinite(targets).all():
            raise DataError("BaggingRegressor: y contains NaN or infinity.")
        return targets

    def _answers(self, member: Any, X: Any) -> Matrix:
        return np.asarray(member.predict(X))

    def _judge_left_out(self, y: Any, mean: Matrix, weights: Vector) -> None:
        self.oob_prediction_ = mean
        known = ~np.isnan(mean.reshape(len(mean), -1)[:, 0]) & (weights > 0)
        if callable(self.oob_score):
            self.oob_score_ = self.oob_score(y[known], mean[known])
        else:
            self.oob_score_ = float(
                r2_score(y[known], mean[known], sample_weight=weights[known])
            )
