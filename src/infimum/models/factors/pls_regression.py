"""Partial least squares: regression on the directions that explain the targets."""

import numpy as np

from infimum.models.factors._two_tables import TwoTables
from infimum.typing import Matrix

__all__ = ["PLSRegression"]


class PLSRegression(TwoTables):
    """Regression on a few directions of X, those with most covariance with y.

    Parameters
    ----------
    n_components : int, default=2
    scale : bool, default=True
        Whether columns are divided by their standard deviation.
    max_iter : int, default=500
    tol : float, default=1e-6
        The squared change of a direction at which it is found.
    copy : bool, default=True
        Accepted for compatibility: nothing is overwritten.

    Attributes
    ----------
    x_weights_, y_weights_, x_loadings_, y_loadings_, x_rotations_, y_rotations_
        Columns are components.
    x_scores_, y_scores_ : ndarray of shape (n_samples, n_components)
    coef_ : ndarray of shape (n_targets, n_features)
    intercept_ : ndarray of shape (n_targets,)
    n_iter_ : list of int

    Examples
    --------
    >>> X = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [2.0, 2.0, 2.0], [2.0, 5.0, 4.0]]
    >>> y = [[0.1, -0.2], [0.9, 1.1], [6.2, 5.9], [11.9, 12.3]]
    >>> PLSRegression(n_components=2).fit(X, y).predict(X).shape
    (4, 2)
    """

    @property
    def x_scores_(self) -> Matrix:
        """The training samples along the directions."""
        return np.asarray(self._x_scores)

    @property
    def y_scores_(self) -> Matrix:
        """The training targets along theirs."""
        return np.asarray(self._y_scores)
