"""A committee that averages numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import RegressorMixin

from infimum.data.doors import vector
from infimum.models.ensembles.committees._voting import Voting
from infimum.typing import Matrix, Vector

__all__ = ["VotingRegressor"]


class VotingRegressor(RegressorMixin, Voting):  # type: ignore[misc]
    """Weighted mean of different regressors.

    Parameters
    ----------
    estimators : list of (str, regressor)
        The members; 'drop' in the place of a regressor leaves it out.
    weights : array-like of shape (n_estimators,), optional
        What each counts; the same by default.
    n_jobs : int or None, default=None
        None or 1 fits one member after another, anything else on all cores.
    verbose : ignored

    Attributes
    ----------
    estimators_ : list of fitted regressors
    named_estimators_ : Bunch

    Examples
    --------
    >>> from infimum.models.linear import LinearRegression, Ridge
    >>> members = [("plain", LinearRegression()), ("ridge", Ridge(alpha=5.0))]
    >>> X, y = [[-1.0], [0.0], [1.0]], [-2.0, 0.0, 2.0]
    >>> VotingRegressor(members).fit(X, y).predict([[1.0]]).round(4)
    array([1.2857])
    """

    def __init__(
        self,
        estimators: Any,
        *,
        weights: Any = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.estimators = estimators
        self.weights = weights
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _targets(self, y: Any) -> Any:
        return vector(y, warn=True)

    def predict(self, X: Any) -> Vector:
        """Return the weighted mean of the members' predictions."""
        return np.asarray(np.average(self._opinions(X), axis=0, weights=self._shares))

    def transform(self, X: Any) -> Matrix:
        """Return what every member says, one column each."""
        return np.column_stack(self._opinions(X))

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return the names of what `transform` gives."""
        owner = type(self).__name__.lower()
        return np.asarray(
            [
                f"{owner}_{name}"
                for name, member in self.estimators
                if not isinstance(member, str)
            ],
            dtype=object,
        )
