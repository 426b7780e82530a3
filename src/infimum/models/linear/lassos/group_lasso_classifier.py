"""Group lasso: logistic regression in which whole groups of features stay out."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import expit, softmax

from infimum.data.doors import Rows
from infimum.losses import Logistic, Softmax
from infimum.models.linear._classifier import LinearClassifier
from infimum.models.linear.coding import Joint, Signs
from infimum.models.linear.fit import Recipe
from infimum.models.linear.lassos._grouped import Grouped
from infimum.typing import Matrix

__all__ = ["GroupLassoClassifier"]


class GroupLassoClassifier(Grouped, LinearClassifier):
    r"""Logistic regression with few groups of features.

    .. math:: \min_w \tfrac1n \sum_i \ell(y_i, x_i^\top w + b) + \alpha \sum_g
              \Bigl((1 - \rho) \sqrt{|g|}\, \|w_g\|_2 + \rho \|w_g\|_1\Bigr)

    Three classes or more are learnt jointly under the softmax loss; the group of a
    feature then holds its coefficients for all classes.

    Parameters
    ----------
    alpha : float, default=0.01
        Weight of the penalty.
    groups : array-like of shape (n_features,), optional
        The name of the group that each feature belongs to; by default every feature
        is a group of its own.
    l1_ratio : float, default=0.0
        ρ: 0 is the group lasso, 1 the lasso, between them the sparse-group lasso.
    class_weight : dict, 'balanced' or None, default=None
        Weight of each class.
    fit_intercept : bool, default=True
        Whether to learn an intercept; it is never penalised.
    max_iter : int, default=10_000
        Most iterations.
    tol : float, default=1e-6
        Stop when the duality gap is below `tol` times what there is to gain.
    warm_start : bool, default=False
        Start from the last solution.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    coef_ : ndarray of shape (n_classes or 1, n_features)
    intercept_ : ndarray of shape (n_classes or 1,)
    certificate_ : Certificate
        How far `coef_` can be from optimal.
    history_ : tuple of Record
        Bounds against time.
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(100, 4))
    >>> y = X[:, 0] + X[:, 1] > 0
    >>> model = GroupLassoClassifier(alpha=0.1, groups=["a", "a", "b", "b"]).fit(X, y)
    >>> np.flatnonzero(model.coef_)
    array([0, 1])
    """

    def __init__(
        self,
        alpha: float = 0.01,
        *,
        groups: Any = None,
        l1_ratio: float = 0.0,
        class_weight: Any = None,
        fit_intercept: bool = True,
        max_iter: int = 10_000,
        tol: float = 1e-6,
        warm_start: bool = False,
    ) -> None:
        super().__init__(
            alpha,
            groups=groups,
            l1_ratio=l1_ratio,
            fit_intercept=fit_intercept,
            max_iter=max_iter,
            tol=tol,
            warm_start=warm_start,
        )
        self.class_weight = class_weight

    def predict_proba(self, X: Any) -> Matrix:
        """Return the probability of each class for each sample."""
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return np.column_stack([expit(-scores), expit(scores)])
        return np.asarray(softmax(scores, axis=1))

    def _recipe(self, rows: Rows) -> Recipe:
        count, width = len(rows.classes), rows.X.shape[1]
        if count == 2:  # noqa: PLR2004
            return self._grouped(Logistic(), Signs(count), width)
        return self._grouped(Softmax(count), Joint(), width)
