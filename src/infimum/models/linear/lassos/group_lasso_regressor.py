"""Group lasso: least squares in which whole groups of features enter or stay out."""

from infimum.data.doors import Rows
from infimum.losses import Squared
from infimum.models.linear._regressor import LinearRegressor
from infimum.models.linear.coding import Number
from infimum.models.linear.fit import Recipe
from infimum.models.linear.lassos._grouped import Grouped

__all__ = ["GroupLassoRegressor"]


class GroupLassoRegressor(Grouped, LinearRegressor):
    r"""Least squares with few groups of features.

    .. math:: \min_w \tfrac{1}{2n} \|y - Xw - b\|_2^2 + \alpha \sum_g \Bigl(
              (1 - \rho) \sqrt{|g|}\, \|w_g\|_2 + \rho \|w_g\|_1\Bigr)

    For features that make sense together only: the indicators of one category, the
    powers of one variable, the measurements of one instrument.

    Parameters
    ----------
    alpha : float, default=1.0
        Weight of the penalty.
    groups : array-like of shape (n_features,), optional
        The name of the group that each feature belongs to; by default every feature
        is a group of its own, which is the lasso.
    l1_ratio : float, default=0.0
        ρ: 0 is the group lasso, 1 the lasso, between them the sparse-group lasso.
    fit_intercept : bool, default=True
        Whether to learn an intercept; it is never penalised.
    max_iter : int, default=10_000
        Most iterations.
    tol : float, default=1e-6
        Stop when the duality gap is below `tol` times the variance to explain.
    warm_start : bool, default=False
        Start from the last solution.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
    intercept_ : float
    certificate_ : Certificate
        How far `coef_` can be from optimal.
    history_ : tuple of Record
        Bounds against time.
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(100, 4))
    >>> y = X[:, 0] + 0.5 * X[:, 1]
    >>> model = GroupLassoRegressor(alpha=0.1, groups=["a", "a", "b", "b"]).fit(X, y)
    >>> np.flatnonzero(model.coef_)
    array([0, 1])
    """

    def _recipe(self, rows: Rows) -> Recipe:
        return self._grouped(Squared(), Number(), rows.X.shape[1])
