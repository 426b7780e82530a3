"""Canonical correlation: the directions of two tables that correlate most."""

from typing import ClassVar

from infimum.models.factors._two_tables import TwoTables

__all__ = ["CCA"]


class CCA(TwoTables):
    """Pairs of directions of two tables with the greatest correlation.

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
    coef_ : ndarray of shape (n_targets, n_features)
    intercept_ : ndarray of shape (n_targets,)
    n_iter_ : list of int

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(50, 3))
    >>> Y = np.column_stack((X[:, 0] + X[:, 1], rng.normal(size=50)))
    >>> a, b = CCA(n_components=1).fit(X, Y).transform(X, Y)
    >>> bool(abs(np.corrcoef(a[:, 0], b[:, 0])[0, 1]) > 0.999)
    True
    """

    _canonical: ClassVar[bool] = True
    _decorrelated: ClassVar[bool] = True
