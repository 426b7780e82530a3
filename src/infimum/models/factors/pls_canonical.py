"""Partial least squares that treats both tables alike."""

from typing import ClassVar

from infimum.models.factors._two_tables import TwoTables
from infimum.parameters import Choice, Domains

__all__ = ["PLSCanonical"]


class PLSCanonical(TwoTables):
    """Pairs of directions of two tables with most covariance, each explained by itself.

    Parameters
    ----------
    n_components : int, default=2
    scale : bool, default=True
        Whether columns are divided by their standard deviation.
    algorithm : {'nipals', 'svd'}, default='nipals'
        Accepted for compatibility: the directions are the same.
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
    >>> X = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [2.0, 2.0, 2.0], [2.0, 5.0, 4.0]]
    >>> y = [[0.1, -0.2], [0.9, 1.1], [6.2, 5.9], [11.9, 12.3]]
    >>> PLSCanonical(n_components=2).fit(X, y).transform(X).shape
    (4, 2)
    """

    _canonical: ClassVar[bool] = True
    _domains: ClassVar[Domains] = {"algorithm": Choice(("nipals", "svd"))}

    def __init__(
        self,
        n_components: int = 2,
        *,
        scale: bool = True,
        algorithm: str = "nipals",
        max_iter: int = 500,
        tol: float = 1e-6,
        copy: bool = True,
    ) -> None:
        super().__init__(
            n_components, scale=scale, max_iter=max_iter, tol=tol, copy=copy
        )
        self.algorithm = algorithm
