"""Weighted lasso: each coefficient has its own price per unit of size."""

from dataclasses import dataclass

from infimum.penalties._weighted import Weighted

__all__ = ["WeightedLasso"]


@dataclass(frozen=True)
class WeightedLasso(Weighted):
    r"""Lasso with a weight for each coefficient; 0 leaves one free of charge.

    .. math:: \Omega(w) = \text{strength} \sum_j \omega_j |w_j|

    The adaptive lasso takes weights from a first fit; known confounders get weight 0.
    Left empty, all weights are 1.

    Examples
    --------
    >>> import numpy as np
    >>> WeightedLasso(1.0, weights=(0.0, 1.0, 3.0)).prox(np.array([2.0, 2.0, 2.0]), 1.0)
    array([2., 1., 0.])

    References
    ----------
    Zou (2006), J. American Statistical Association 101 (the adaptive lasso).
    """

    @property
    def mix(self) -> float:
        return 1.0
