"""Stacked regressors: a final regressor learns from their predictions."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import RegressorMixin

from infimum.data.doors import vector
from infimum.models.ensembles.committees._stacking import Stacking
from infimum.models.linear import RidgeCV
from infimum.typing import Matrix

__all__ = ["StackingRegressor"]


class StackingRegressor(RegressorMixin, Stacking):  # type: ignore[misc]
    """Regressor on the predictions of other regressors.

    The final regressor learns from predictions for rows that a member had not seen.

    Parameters
    ----------
    estimators : list of (str, regressor)
        The members; 'drop' in the place of a regressor leaves it out.
    final_estimator : regressor, optional
        By default `RidgeCV`.
    cv, n_jobs, passthrough, verbose
        As in `StackingClassifier`.

    Attributes
    ----------
    estimators_ : list of fitted regressors
        Fitted to all rows.
    named_estimators_ : Bunch
    final_estimator_ : fitted regressor
    stack_method_ : list of str

    Examples
    --------
    >>> from infimum.models.linear import LinearRegression, Ridge
    >>> members = [("plain", LinearRegression()), ("ridge", Ridge(alpha=5.0))]
    >>> X = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]]
    >>> y = [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]
    >>> StackingRegressor(members, cv=3).fit(X, y).predict([[2.5]]).round(1)
    array([5.])
    """

    def __init__(
        self,
        estimators: Any,
        final_estimator: Any = None,
        *,
        cv: Any = None,
        n_jobs: int | None = None,
        passthrough: bool = False,
        verbose: int = 0,
    ) -> None:
        self.estimators = estimators
        self.final_estimator = final_estimator
        self.cv = cv
        self.n_jobs = n_jobs
        self.passthrough = passthrough
        self.verbose = verbose

    def _default(self) -> Any:
        return RidgeCV()

    def _targets(self, y: Any) -> Any:
        return vector(y, warn=True)

    def _method(self, member: Any) -> str:
        return "predict"

    def _columns(self, member: Any, answers: Any) -> Matrix:
        return np.asarray(answers).reshape(len(answers), -1)

    def predict(self, X: Any, **predict_params: Any) -> Any:
        """Return the predictions of the final regressor.

        Parameters
        ----------
        X : array-like, DataFrame or sparse matrix of shape (n_samples, n_features)
        **predict_params
            What the final regressor is to know, such as ``return_std=True``.
        """
        table = self.transform(X)
        return self.final_estimator_.predict(table, **predict_params)
